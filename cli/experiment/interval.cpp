#include "cli/experiment/interval.hpp"

#include <cmath>

namespace cli::experiment {
namespace {

constexpr double kTiny = 1e-300;

double away_from_zero(double value) noexcept { return std::abs(value) < kTiny ? kTiny : value; }

// The fraction converges in some sqrt(max(a, b)) steps, for x below the mean.
double beta_fraction(double x, double a, double b) noexcept {
  constexpr int kMostSteps = 1'000'000;
  constexpr double kPrecision = 1e-13;
  double c = 1, d = 1 / away_from_zero(1 - (a + b) * x / (a + 1)), value = d;
  for (int step = 1; step <= kMostSteps; ++step) {
    const double i = step;
    const double even = i * (b - i) * x / ((a + 2 * i - 1) * (a + 2 * i));
    d = 1 / away_from_zero(1 + even * d);
    c = away_from_zero(1 + even / c);
    value *= d * c;
    const double odd = -(a + i) * (a + b + i) * x / ((a + 2 * i) * (a + 2 * i + 1));
    d = 1 / away_from_zero(1 + odd * d);
    c = away_from_zero(1 + odd / c);
    value *= d * c;
    if (std::abs(d * c - 1) < kPrecision) break;
  }
  return value;
}

// The x below which this share of Beta(a, b) lies.
double beta_quantile(double share, double a, double b) noexcept {
  double low = 0, high = 1;
  while (high - low > 1e-10 * high && high > kTiny) {
    const double middle = (low + high) / 2;
    (incomplete_beta(middle, a, b) < share ? low : high) = middle;
  }
  return high;
}

}  // namespace

double incomplete_beta(double x, double a, double b) noexcept {
  if (x <= 0 || x >= 1) return x <= 0 ? 0 : 1;
  if (x > (a + 1) / (a + b + 2)) return 1 - incomplete_beta(1 - x, b, a);
  const double front =
      std::exp(std::lgamma(a + b) - std::lgamma(a) - std::lgamma(b) + a * std::log(x) + b * std::log1p(-x));
  return front * beta_fraction(x, a, b) / a;
}

Interval clopper_pearson(double hits, double trials, double error) noexcept {
  const double misses = trials - hits;
  Interval interval;
  if (hits > 0) interval.low = beta_quantile(error / 2, hits, misses + 1);
  if (misses > 0) interval.high = 1 - beta_quantile(error / 2, misses, hits + 1);
  return interval;
}

}  // namespace cli::experiment
