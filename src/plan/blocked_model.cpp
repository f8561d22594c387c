#include <algorithm>
#include <cmath>

#include "plan/coincidence.hpp"
#include "plan/line_rates.hpp"
#include "plan/models.hpp"

namespace bloomery::plan_model {

namespace {

constexpr double kNegligible = 1e-19;  // a share of the sum that a double cannot hold

struct LineMean {
  double rate;    // averaged over the loads of a line
  double load;    // mean load of a line where it came true
  double spread;  // standard deviation of that load
};

// A line that takes every throw. Loads between whole numbers arise from means: interpolated by logarithms.
template <class Rate>
LineMean sole_line(double throws, Rate rate) noexcept {
  const double whole = std::floor(throws), part = throws - whole;
  if (part == 0) return {rate(whole), throws, 0};
  return {std::pow(rate(whole), 1 - part) * std::pow(rate(whole + 1), part), throws, 0};
}

// What a walk over the loads adds up.
struct Sums {
  double weights = 0, rates = 0, loads = 0, squares = 0;

  void add(double weight, double rate, double load) noexcept {
    const double term = weight * rate;
    weights += weight;
    rates += term;
    loads += term * load;
    squares += term * load * load;
  }

  LineMean mean() const noexcept {
    if (rates == 0) return {0, 0, 0};
    const double load = loads / rates;
    return {rates / weights, load, std::sqrt(std::max(0.0, squares / rates - load * load))};
  }
};

// The mean of rate(j) over j, the number of times that one of `lines` lines is chosen in `throws` throws: a
// binomial distribution, walked from its mode outwards by the ratio of neighbours, so that nothing overflows
// and no factorial is needed. rate must grow with j.
template <class Rate>
LineMean mean_over_load(double throws, double lines, Rate rate) noexcept {
  if (lines <= 1) return sole_line(throws, rate);
  const double mode = std::floor((throws + 1) / lines);
  Sums sums;
  sums.add(1, rate(mode), mode);
  double weight = 1;
  for (double j = mode; j < throws; ++j) {
    weight *= (throws - j) / ((j + 1) * (lines - 1));
    const double next = rate(j + 1);
    sums.add(weight, next, j + 1);
    if (weight * next <= kNegligible * sums.rates && weight <= kNegligible * sums.weights) break;
  }
  weight = 1;
  for (double j = mode; j > 0; --j) {
    weight *= j * (lines - 1) / (throws - j + 1);
    sums.add(weight, rate(j - 1), j - 1);
    if (weight <= kNegligible * sums.weights) break;
  }
  return sums.mean();
}

LineMean mean_of_shared(double throws, double lines, unsigned probes, unsigned patterns) noexcept {
  if (patterns == 1)
    return mean_over_load(throws, lines, [&](double j) { return LineRates::of(probes).at(j); });
  return mean_over_load(throws, lines, [&](double j) { return SharedRates::of(probes, patterns).at(j); });
}

constexpr double kFewLines = 32;  // from here on the spread of one line's load is nothing to the others

// The chance that the lines of one key, `left` of them, hold their patterns. The first is one of `lines`
// equal lines that got `throws` throws; m - 1 of the others may be the same line, of `all` there are. What fell
// there cannot fall elsewhere: the lines that remain share the rest of the throws.
double chance_by_groups(double throws, double lines, double all, unsigned probes, unsigned left) noexcept {
  if (left == 0) return 1;
  if (lines < 1) return 0;
  const auto others = [&](double load, unsigned taken) {
    return chance_by_groups(std::clamp(throws - load, 0.0, throws), lines - 1, all, probes, left - taken);
  };
  double sum = 0, ways = lines / all, smallest = 1;
  for (unsigned m = 1; m <= left; ++m) {
    const LineMean mean = mean_of_shared(throws, lines, probes, m);
    if (m == 1) smallest = mean.rate;
    const bool spread_matters = lines < kFewLines && m < left;
    sum += ways * mean.rate *
           (spread_matters ? (others(mean.load - mean.spread, m) + others(mean.load + mean.spread, m)) / 2
                           : others(mean.load, m));
    ways *= (left - m) / (m * all);
    if (ways < 1e-6 * std::pow(smallest, m)) break;  // sharing costs less than a millionth of the whole
  }
  return sum;
}

bool saturated(double keys, double lines, unsigned lines_per_key) noexcept {
  return keys * lines_per_key / lines > 4 * LineRates::kMaxLoad;
}

}  // namespace

double blocked_fpr(double keys, double lines, unsigned probes, unsigned lines_per_key) noexcept {
  if (saturated(keys, lines, lines_per_key)) return 1;
  const double floor = std::ldexp(keys, lines_per_key == 1 ? -64 : -128);
  return std::min(1.0, chance_by_groups(keys * lines_per_key, lines, lines, probes, lines_per_key) + floor);
}

double apart_blocked_fpr(double keys, double lines, unsigned probes, unsigned lines_per_key) noexcept {
  if (saturated(keys, lines, lines_per_key)) return 1;
  return std::pow(mean_of_shared(keys * lines_per_key, lines, probes, 1).rate, lines_per_key);
}

double counting_line_fpr(double keys, double lines, unsigned probes, unsigned word_cells) noexcept {
  if (keys / lines > 4 * LineRates::kMaxLoad) return 1;
  const LineRates& rates = LineRates::of(probes, word_cells);
  const LineMean one_line = mean_over_load(keys, lines, [&](double load) { return rates.at(load); });
  return std::min(1.0, one_line.rate + std::ldexp(keys, -64));
}

double large_blocked_fpr(double load, unsigned probes, unsigned lines_per_key) noexcept {
  constexpr double kLines = 0x1p50;
  return apart_blocked_fpr(load / lines_per_key * kLines, kLines, probes, lines_per_key);
}

}  // namespace bloomery::plan_model
