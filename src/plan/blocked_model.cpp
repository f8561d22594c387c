#include <algorithm>
#include <array>
#include <cmath>

#include "plan/line_rates.hpp"
#include "plan/models.hpp"

namespace bloomery::plan_model {

namespace {

constexpr double kNegligible = 1e-19;  // a share of the sum that a double cannot hold

// Sums weight(j) * rate(j) over j, the number of times that a given line was chosen when `throws` throws
// fall on `lines` lines: the binomial distribution, walked from its mode outwards by the ratio of
// neighbours, so that nothing overflows and no factorial is needed. rate must grow with j.
template <class Rate>
double mean_over_load(double throws, double lines, Rate rate) noexcept {
  if (lines <= 1) return rate(throws);
  const double mode = std::floor((throws + 1) / lines);
  double weights = 1, sum = rate(mode);
  double weight = 1;
  for (double j = mode; j < throws; ++j) {
    weight *= (throws - j) / ((j + 1) * (lines - 1));
    const double term = weight * rate(j + 1);
    weights += weight;
    sum += term;
    if (term <= kNegligible * sum && weight <= kNegligible * sum) break;
  }
  weight = 1;
  for (double j = mode; j > 0; --j) {
    weight *= j * (lines - 1) / (throws - j + 1);
    weights += weight;
    sum += weight * rate(j - 1);
    if (weight <= kNegligible * weights) break;
  }
  return sum / weights;
}

}  // namespace

double blocked_fpr(double keys, double lines, unsigned probes, unsigned lines_per_key) noexcept {
  const double throws = keys * lines_per_key;
  const LineRates& rates = LineRates::of(probes);
  if (throws / lines > 4 * LineRates::kMaxLoad) return 1;
  const double one_line = mean_over_load(throws, lines, [&](double load) { return rates.at(load); });
  const double floor = std::ldexp(keys, lines_per_key == 1 ? -64 : -128);
  return std::min(1.0, std::pow(one_line, lines_per_key) + floor);
}

double large_blocked_fpr(double load, unsigned probes, unsigned lines_per_key) noexcept {
  constexpr double kLines = 0x1p50;
  const LineRates& rates = LineRates::of(probes);
  return std::pow(mean_over_load(load * kLines, kLines, [&](double j) { return rates.at(j); }), lines_per_key);
}

}  // namespace bloomery::plan_model
