#include "cli/redis/shard.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace cli {
namespace {

constexpr double kLn2Squared = 0.480453013918201;
constexpr double kLn2 = 0.693147180559945;
constexpr double kHighestFpr = 0.25;           // what BF.RESERVE makes of higher ones
constexpr double kDeviations = 6;              // of a filter's share above its mean
constexpr std::uint64_t kSpare = 8;
constexpr std::uint64_t kMostPaddedBits = std::uint64_t{8} << 20;

// How many numbers below d have no divisor in common with it.
unsigned coprime_below(unsigned d) {
  unsigned count = 0;
  for (unsigned i = 1; i <= d; ++i) count += std::gcd(i, d) == 1 ? 1U : 0U;
  return count;
}

}  // namespace

ShardShape ShardShape::of(std::uint64_t capacity, double reserved_fpr) {
  const double bits_per_key = -std::log(reserved_fpr) / kLn2Squared;
  const auto bits = static_cast<std::uint64_t>(static_cast<double>(capacity) * bits_per_key);
  return {capacity, reserved_fpr, std::max<std::uint64_t>(64, (bits + 63) / 64 * 64),
          static_cast<unsigned>(std::ceil(kLn2 * bits_per_key))};
}

ShardShape ShardShape::planned(std::uint64_t expected, std::uint64_t shards, double fpr) {
  const double share = static_cast<double>(expected) / static_cast<double>(shards);
  const double most = std::ceil(share + kDeviations * std::sqrt(share)) + static_cast<double>(kSpare);
  const double reserved_fpr = std::min(fpr, kHighestFpr);
  ShardShape shape = of(static_cast<std::uint64_t>(most), reserved_fpr);
  while (shape.rate_of_free_probes(most) > fpr || (shape.bits < kMostPaddedBits && shape.rate(most) > fpr))
    shape = of(shape.capacity + shape.capacity / 64 + 1, reserved_fpr);
  return shape;
}

double ShardShape::rate_of_free_probes(double keys) const {
  return std::pow(-std::expm1(-keys * probes / static_cast<double>(bits)), probes);
}

// A step of order d in the numbers mod `bits` comes back after d probes: a run of few different bits. There are as
// many such steps as numbers up to d coprime to it. But probes are summed mod 2^64, which is no multiple of `bits`:
// each time the sum wraps, a run of other bits begins. A step is anything from -2^63 to 2^63, so that no wrap has
// a chance of 1 / (probes - 1), and each number of wraps that is possible twice that.
double ShardShape::rate(double keys) const {
  const auto m = static_cast<double>(bits);
  const double fill = -std::expm1(-keys * probes / m);
  double short_runs = 0;
  for (unsigned d = 1; d < probes; ++d) {
    const double run = std::pow(fill, d);
    if (bits % d == 0) short_runs += coprime_below(d) * run * (1 + run) / std::max(1 - run, 1e-9) / (probes - 1);
  }
  return std::min(1.0, rate_of_free_probes(keys) + short_runs / m);
}

double ShardLosses::advance(std::uint64_t count, std::uint64_t own) {
  constexpr std::uint64_t kSteps = 64;
  const std::uint64_t added = count > count_ ? count - count_ : 0;
  const std::uint64_t steps = std::clamp<std::uint64_t>(added / 64, 1, kSteps);
  const double step = static_cast<double>(added) / static_cast<double>(steps);
  double mean_odds = 0;
  double reached = static_cast<double>(count_);
  for (std::uint64_t i = 0; i < steps; ++i) {
    const double fpr = std::min(shape_.rate(reached + lost_ + step / 2), 1 - 1e-9);
    const double odds = fpr / (1 - fpr);  // lines dropped, for each one called new
    lost_ += step * odds;
    reached += step;
    mean_odds += odds / static_cast<double>(steps);
  }
  count_ = std::max(count, count_);
  return static_cast<double>(own) * mean_odds;
}

}  // namespace cli
