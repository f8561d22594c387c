#include "cli/seen.hpp"

#include <algorithm>
#include <cmath>

#include "cli/report.hpp"

namespace cli {

void WrongDrops::add(const bloomery::Filter& filter, std::uint64_t fresh) {
  fresh_ += fresh;
  pending_ += fresh;
  if (pending_ < std::max(kLeastStep, fresh_ / 256)) return;
  settled_ = expected(filter);
  odds_before_ = odds(filter);
  pending_ = 0;
}

double WrongDrops::expected(const bloomery::Filter& filter) const {
  if (pending_ == 0) return settled_;
  return settled_ + static_cast<double>(pending_) * (odds_before_ + odds(filter)) / 2;
}

double WrongDrops::odds(const bloomery::Filter& filter) const {
  const double distinct = static_cast<double>(fresh_) + settled_;
  const double rate =
      bloomery::expected_fpr(filter.segments().back().shape, static_cast<std::uint64_t>(std::llround(distinct)));
  return rate / std::max(1 - rate, 1e-9);
}

SeenSet SeenSet::exact(const bloomery::Hasher& hasher) {
  return SeenSet(take(bloomery::Filter::create({.kind = bloomery::Kind::exact, .hasher = hasher})));
}

SeenSet SeenSet::filter(const bloomery::Hasher& hasher, std::uint64_t expected_keys, double fpr) {
  return SeenSet(take(bloomery::Filter::create({.expected_keys = expected_keys, .fpr = fpr, .hasher = hasher})));
}

std::uint64_t SeenSet::insert(std::span<const bloomery::Hash> keys, std::span<bool> fresh) {
  const std::uint64_t count = take(keys_.insert(keys, fresh));
  wrong_.add(keys_, count);
  return count;
}

}  // namespace cli
