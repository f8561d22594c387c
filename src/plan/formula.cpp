#include <algorithm>
#include <cmath>
#include <numbers>

#include "bloomery/plan.hpp"
#include "plan/models.hpp"

namespace bloomery::formula {

namespace {

constexpr std::uint64_t kMaxOccupancyCells = 4096;
constexpr double kNegligibleMass = 1e-80;  // (x/m)^k lifts the upper tail: keep far more of it than a mean needs

// The distribution of X, the number of distinct bits set, as throws are added one at a time. Only the
// window of values that carry mass is kept.
class Occupancy {
 public:
  explicit Occupancy(std::uint64_t m) noexcept : m_(m) { mass_[0] = 1; }

  void add_throw() noexcept {
    const double share = 1 / static_cast<double>(m_);
    if (high_ < m_) mass_[++high_] = 0;
    for (std::uint64_t x = high_; x > low_; --x)
      mass_[x] = (mass_[x] * static_cast<double>(x) + mass_[x - 1] * static_cast<double>(m_ - x + 1)) * share;
    mass_[low_] *= static_cast<double>(low_) * share;
    while (low_ < high_ && mass_[low_] < kNegligibleMass) ++low_;
    while (high_ > low_ && mass_[high_] < kNegligibleMass) --high_;
  }

  double mean_power(unsigned k) const noexcept {
    double sum = 0;
    for (std::uint64_t x = low_; x <= high_; ++x)
      sum += mass_[x] * std::pow(static_cast<double>(x) / static_cast<double>(m_), k);
    return sum;
  }

 private:
  std::uint64_t m_, low_ = 0, high_ = 0;
  std::array<double, kMaxOccupancyCells + 1> mass_;
};

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
  Occupancy distribution(m);
  for (std::uint64_t i = 0; i < n * k; ++i) distribution.add_throw();
  return distribution.mean_power(k);
}

}  // namespace bloomery::formula
