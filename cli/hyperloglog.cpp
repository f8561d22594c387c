#include "cli/hyperloglog.hpp"

#include <cmath>
#include <limits>
#include <numbers>

namespace cli {
namespace {

constexpr unsigned kLongestRun = 64 - HyperLogLog::kRegistersLog2;  // q; registers hold 0 to q + 1

// x + sum of x^(2^i) 2^(i-1) for i >= 1: corrects for registers that are still empty.
double sigma(double x) {
  if (x == 1) return std::numeric_limits<double>::infinity();
  double sum = x, power = x, weight = 1;
  for (double before = -1; sum != before; weight *= 2) {
    before = sum;
    power *= power;
    sum += power * weight;
  }
  return sum;
}

// (1 - x - sum of (1 - x^(2^-i))^2 2^-i for i >= 1) / 3: corrects for registers that can rise no more.
double tau(double x) {
  if (x == 0 || x == 1) return 0;
  double rest = 1 - x, root = x, weight = 0.5;
  for (double before = -1; rest != before; weight /= 2) {
    before = rest;
    root = std::sqrt(root);
    rest -= (1 - root) * (1 - root) * weight;
  }
  return rest / 3;
}

}  // namespace

double HyperLogLog::estimate() const noexcept {
  std::array<std::uint64_t, kLongestRun + 2> holding = {};
  for (const std::uint8_t run : *registers_) ++holding[run];
  constexpr double kAll = kRegisters;
  double sum = kAll * tau(1 - static_cast<double>(holding[kLongestRun + 1]) / kAll);
  for (unsigned run = kLongestRun; run > 0; --run) sum = (sum + static_cast<double>(holding[run])) / 2;
  sum += kAll * sigma(static_cast<double>(holding[0]) / kAll);
  return kAll / (2 * std::numbers::ln2) * (kAll / sum);
}

}  // namespace cli
