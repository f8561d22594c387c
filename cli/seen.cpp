#include "cli/seen.hpp"

#include <algorithm>
#include <cmath>

#include "cli/report.hpp"

namespace cli {
namespace {

constexpr double kLeastChance = 1e-9;  // of being called fresh, in a filter that is full

}  // namespace

void WrongDrops::add(const bloomery::Filter& filter, std::uint64_t fresh) {
  fresh_ += static_cast<double>(fresh);
  pending_ += static_cast<double>(fresh);
  if (pending_ * (1 + odds_before_) < std::max(kLeastStep, distinct() / 256)) return;
  const double odds_now = odds(filter);
  settled_ += pending_ * (odds_before_ + odds_now) / 2;
  odds_before_ = odds_now;
  pending_ = 0;
}

double WrongDrops::expected(const bloomery::Filter& filter) const {
  return pending_ == 0 ? settled_ : settled_ + pending_ * (odds_before_ + odds(filter)) / 2;
}

double WrongDrops::distinct() const noexcept { return fresh_ + settled_ + pending_ * odds_before_; }

double WrongDrops::odds(const bloomery::Filter& filter) const {
  const double rate =
      bloomery::expected_fpr(filter.segments().back().shape, static_cast<std::uint64_t>(std::llround(distinct())));
  return rate / std::max(1 - rate, kLeastChance);
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
