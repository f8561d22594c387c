#include <algorithm>
#include <cmath>
#include <numbers>

#include "bloomery/plan.hpp"
#include "plan/models.hpp"

namespace bloomery::formula {

namespace {

constexpr int kMaxOccupancyCells = 4096;

// The distribution of X, the number of distinct bits set, as throws are added one at a time. Values that carry
// no more than `negligible` at either end are let go.
class Occupancy {
 public:
  Occupancy(int m, double negligible) noexcept : m_(m), negligible_(negligible) { mass_[0] = 1; }

  void add_throw() noexcept {
    const double share = 1.0 / m_;
    if (high_ < m_) mass_[++high_] = 0;
    for (int x = high_; x > low_; --x) mass_[x] = (mass_[x] * x + mass_[x - 1] * (m_ - x + 1)) * share;
    mass_[low_] *= low_ * share;
    while (low_ < high_ && mass_[low_] <= negligible_) ++low_;
    while (high_ > low_ && mass_[high_] <= negligible_) --high_;
  }

  double mean_power(unsigned k) const noexcept {
    double sum = 0;
    for (int x = low_; x <= high_; ++x) sum += mass_[x] * std::pow(static_cast<double>(x) / m_, k);
    return sum;
  }

 private:
  int m_, low_ = 0, high_ = 0;
  double negligible_;
  double mass_[kMaxOccupancyCells + 1];
};

// (x/m)^k lifts the upper tail, most of all when throws are few and k is large: then nothing is let go.
constexpr std::uint64_t kFewThrows = 512;
constexpr double kNegligibleMass = 1e-40;

}  // namespace

double optimal_bits(double n, double p) noexcept { return -n * std::log(p) / (std::numbers::ln2 * std::numbers::ln2); }

double optimal_hashes(double m, double n) noexcept { return m / n * std::numbers::ln2; }

double textbook_fpr(double n, double m, double k) noexcept { return std::pow(-std::expm1(-k * n / m), k); }

double best_fpr(double bits_per_key) noexcept {
  return std::exp(-bits_per_key * std::numbers::ln2 * std::numbers::ln2);
}

double bits_per_key_fixed(double p, double k) noexcept { return -k / std::log1p(-std::pow(p, 1 / k)); }

double bits_per_key_fixed_approx(double p, double k) noexcept {
  const double c = std::pow(p, 1 / k);
  return 2 * k / (2 * c + c * c);
}

double occupancy_fpr(std::uint64_t n, std::uint64_t m, unsigned k) noexcept {
  const double throws = static_cast<double>(n) * k;
  const double cells = static_cast<double>(m);
  // Past 16 throws per bit fewer than one bit in eight million is clear: the textbook is exact to a double.
  if (throws > 16 * cells || m > kMaxOccupancyCells) return plan_model::corrected_fpr(static_cast<double>(n), cells, k);
  Occupancy distribution(static_cast<int>(m), n * k < kFewThrows ? 0 : kNegligibleMass);
  for (std::uint64_t i = 0; i < n * k; ++i) distribution.add_throw();
  return distribution.mean_power(k);
}

}  // namespace bloomery::formula
