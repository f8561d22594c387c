#include "cli/wrong_drops.hpp"

#include <algorithm>
#include <cmath>

namespace cli {
namespace {

constexpr double kLeastChance = 1e-9;  // of being called fresh, in a filter that is full

// The rate of all segments but the last: a filter of the same bytes without it.
double earlier_fpr(const bloomery::Filter& filter) {
  const auto segments = filter.segments();
  if (segments.size() < 2) return 0;
  bloomery::Parts parts{.hasher = bloomery::Hasher::precomputed()};
  if (filter.hasher().id == bloomery::HashId::murmur3) parts.hasher = bloomery::Hasher::murmur3();
  parts.segments.assign(segments.begin(), segments.end() - 1);
  const auto earlier = bloomery::Filter::from_parts(std::move(parts));
  return earlier ? earlier->current_fpr() : 1;
}

}  // namespace

void WrongDrops::begin_segment(const bloomery::Filter& filter, double keys_in_last) {
  if (pending_ > 0) settle();
  last_ = filter.segments().back().shape;
  exact_ = filter.kind() == bloomery::Kind::exact;
  earlier_fpr_ = earlier_fpr(filter);
  keys_ = keys_in_last;
  before_ = odds(keys_);
}

void WrongDrops::add(std::uint64_t fresh) {
  if (exact_) return;
  pending_ += static_cast<double>(fresh);
  if (pending_ * (1 + before_.own) >= std::max(kLeastStep, keys_ / 256)) settle();
}

double WrongDrops::expected() const {
  if (pending_ == 0) return settled_;
  return settled_ + pending_ * (before_.dropped + odds(keys_ + pending_ * (1 + before_.own)).dropped) / 2;
}

double WrongDrops::rate() const {
  const double keys = keys_ + pending_ * (1 + before_.own);
  return exact_ ? 0 : 1 - (1 - earlier_fpr_) * (1 - last_fpr(keys));
}

void WrongDrops::settle() {
  const Odds now = odds(keys_ + pending_ * (1 + before_.own));
  settled_ += pending_ * (before_.dropped + now.dropped) / 2;
  keys_ += pending_ * (1 + (before_.own + now.own) / 2);
  before_ = now;
  pending_ = 0;
}

double WrongDrops::last_fpr(double keys) const {
  return bloomery::expected_fpr(last_, static_cast<std::uint64_t>(std::llround(keys)));
}

WrongDrops::Odds WrongDrops::odds(double keys) const {
  if (exact_) return {0, 0};
  const double pass_last = std::max(1 - last_fpr(keys), kLeastChance);
  const double pass_all = std::max((1 - earlier_fpr_) * pass_last, kLeastChance);
  return {(1 - pass_all) / pass_all, (1 - pass_last) / pass_last};
}

}  // namespace cli
