#include "cli/seen.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "cli/report.hpp"

namespace cli {
namespace {

using bloomery::Filter;
using bloomery::Hash;
using bloomery::Kind;
using bloomery::Plan;

// A forecast of the number of keys is trusted only so far: a plan for more bits or fewer per key than these
// would be useless if it proved wrong.
constexpr double kLeastBitsPerKey = 8;
constexpr double kMostBitsPerKey = 40;
constexpr std::uint64_t kLeastShare = 8;    // a further segment is worth at least 1/8 of the budget
constexpr double kPromiseTolerance = 1.002; // the count of distinct keys behind a rate is itself an estimate
constexpr std::uint64_t kBytesPerLine = 64;

// An exact table is at most 7/8 full, and moves on in steps.
std::uint64_t exact_bytes(std::uint64_t keys) { return keys > (std::uint64_t{1} << 56) ? ~std::uint64_t{0} : keys * 19; }

std::uint64_t bytes_for(std::uint64_t keys, double fpr) {
  const Plan plan = take(bloomery::plan({.keys = keys, .fpr = fpr}));
  return plan.size_bytes;
}

void insert_run(void* filter, std::span<const Hash> run) {
  static_cast<void>(static_cast<Filter*>(filter)->insert(run));  // a writable filter takes every hash
}

std::uint64_t rounded(double value) { return static_cast<std::uint64_t>(std::llround(value)); }

}  // namespace

SeenSet::SeenSet(Filter keys, const SeenPlan& plan)
    : plan_(plan), keys_(std::move(keys)), wrong_(keys_.counts().expected_wrong_repeats) {
  if (keys_.kind() == Kind::windowed) {
    window_.emplace(keys_, plan_.window.value_or(SeenWindow{}));
    return;
  }
  const auto segments = keys_.segments();
  double in_last = keys_.estimated_keys().value_or(static_cast<double>(keys_.counts().inserted));
  for (const auto& segment : segments.first(segments.size() - 1)) in_last -= static_cast<double>(segment.keys_inserted);
  wrong_.begin_segment(keys_, std::max(in_last, static_cast<double>(segments.back().keys_inserted)));
}

SeenSet SeenSet::create(const SeenPlan& plan) {
  if (plan.window) {
    const Plan windowed = plan_window(*plan.window, plan.fpr.value_or(kUnpromisedFpr), plan.memory_bytes);
    return {take(Filter::create(windowed, plan.hasher)), plan};
  }
  if (plan.expected && plan.fpr) {
    const std::uint64_t needed = bytes_for(*plan.expected, *plan.fpr);
    if (needed > plan.memory_bytes) {
      throw Failure{"--memory: " + human_bytes(plan.memory_bytes) + " cannot hold " + grouped(*plan.expected) +
                    " lines at a rate of " + short_number(*plan.fpr) + ": give at least " + human_bytes(needed)};
    }
    return {take(Filter::create({.expected_keys = *plan.expected, .fpr = *plan.fpr, .hasher = plan.hasher})), plan};
  }
  if (plan.expected && exact_bytes(*plan.expected) > plan.memory_bytes / 2) {
    const auto one_segment = take(bloomery::plan({.keys = *plan.expected, .bits = plan.memory_bytes / kBytesPerLine * 512}));
    return {take(Filter::create(one_segment, plan.hasher)), plan};
  }
  return {take(Filter::create({.kind = Kind::exact, .hasher = plan.hasher})), plan};
}

SeenSet SeenSet::resume(Filter keys, const SeenPlan& plan) {
  const std::uint64_t used = keys.memory_bytes();
  const std::uint64_t needed = keys.kind() == Kind::exact ? used + used / 3 : used;  // a table leaves room to change over
  if (needed > plan.memory_bytes) {
    throw Failure{"--memory: " + human_bytes(plan.memory_bytes) + " cannot hold the state of " +
                  grouped(keys.counts().inserted) + " lines: give at least " + size_argument(needed)};
  }
  return {std::move(keys), plan};
}

const Filter& SeenSet::snapshot() noexcept {
  bloomery::Counts counts = keys_.counts();
  counts.expected_wrong_repeats = window_ ? window_->wrong_drops() : wrong_.expected();
  keys_.set_counts(counts);
  return keys_;
}

std::size_t SeenSet::step() const noexcept {
  constexpr std::uint64_t kLeastStep = 512;
  if (is_exact()) return kLeastStep;
  if (window_) return window_->step();
  const auto& last = keys_.segments().back();
  const bool full = last.keys_inserted >= last.planned_keys;
  return full ? ~std::size_t{0} : std::max(kLeastStep, last.planned_keys - last.keys_inserted);
}

std::uint64_t SeenSet::insert(std::span<const Hash> keys, std::span<bool> fresh, double share_read) {
  make_room(keys.size(), share_read);
  const std::uint64_t count = take(keys_.insert(keys, fresh));
  if (window_) window_->after_insert(keys_, count);
  else wrong_.add(count);
  return count;
}

void SeenSet::make_room(std::uint64_t more_keys, double share_read) {
  if (window_) return window_->before_insert(keys_, more_keys);
  if (is_exact() && keys_.segments()[0].shape.cells + more_keys > room_for_) {
    const bool room = reserve(std::max(more_keys, likely_more(share_read))) || reserve(more_keys);
    if (!room) change_over(share_read);
  }
  if (!is_exact() && keys_.segments().back().keys_inserted >= keys_.segments().back().planned_keys) append_segment();
}

// In the table, within its half of the budget.
bool SeenSet::reserve(std::uint64_t more_keys) {
  const auto room = keys_.reserve(more_keys, plan_.memory_bytes / 2);
  if (!room && room.error().code != bloomery::Errc::full) take(room);
  if (room) room_for_ = keys_.segments()[0].shape.cells + more_keys;
  return static_cast<bool>(room);
}

// The table grows at once to what the whole input is likely to need, if that is known: to touch memory costs
// more than all the rest, and to move what is there costs as much again. Few lines are a poor forecast.
std::uint64_t SeenSet::likely_more(double share_read) const {
  constexpr double kMargin = 1.03, kEnoughRead = 0.05, kUnknown = 1.5, kMost = 16;
  const auto distinct = static_cast<double>(keys_.segments()[0].shape.cells);
  const double times = share_read > 0 ? kMargin / share_read : kUnknown;
  return rounded(distinct * (share_read >= kEnoughRead ? times - 1 : std::min(times, kMost) - 1));
}

// The table takes at most half of the budget: the first segment is built in what it leaves, and stands
// alone until it holds its share of the keys. Then the place of the table, long free, becomes the second.
void SeenSet::change_over(double share_read) {
  const Plan first = first_segment(plan_.memory_bytes - keys_.memory_bytes(), share_read);
  Filter filter = take(Filter::create(first, keys_.hasher()));
  take(keys_.visit_fingerprints(insert_run, &filter));
  filter.set_counts(keys_.counts());
  const auto distinct = static_cast<double>(keys_.counts().inserted);
  keys_ = std::move(filter);
  wrong_.begin_segment(keys_, distinct);
}

// For its share of the keys that the whole input is likely to hold; where nobody knows, for the rate.
Plan SeenSet::first_segment(std::uint64_t bytes, double share_read) const {
  bloomery::PlanRequest want{.bits = bytes / kBytesPerLine * 512};
  const auto distinct = static_cast<double>(keys_.segments()[0].shape.cells);
  double forecast = share_read > 0 ? distinct / share_read : 0;
  if (plan_.expected) forecast = static_cast<double>(*plan_.expected);
  if (forecast == 0) {
    want.fpr = plan_.fpr.value_or(kUnpromisedFpr) / 2;
    return take(bloomery::plan(want));
  }
  const auto bits = static_cast<double>(*want.bits);
  const double share = forecast * static_cast<double>(bytes) / static_cast<double>(plan_.memory_bytes);
  want.keys = rounded(std::clamp(std::max(share, distinct), bits / kMostBitsPerKey + 1, bits / kLeastBitsPerKey + 1));
  return take(bloomery::plan(want));
}

// At as many bits per key as the segment before, and at most twice the bytes so far: who planned a small
// filter and meets a few lines more does not get the whole budget filled.
void SeenSet::append_segment() {
  const std::uint64_t used = keys_.memory_bytes();
  if (used > plan_.memory_bytes || plan_.memory_bytes - used < plan_.memory_bytes / kLeastShare) return;
  const std::uint64_t bytes = std::min(plan_.memory_bytes - used, 2 * used) / kBytesPerLine * kBytesPerLine;
  const auto& before = keys_.segments().back();
  const double keys_per_byte = static_cast<double>(before.planned_keys) / static_cast<double>(before.bytes.size());
  take(keys_.append_segment(take(bloomery::plan(
      {.keys = 1 + rounded(keys_per_byte * static_cast<double>(bytes)), .bits = bytes * 8}))));
  wrong_.begin_segment(keys_, 0);
}

double SeenSet::expected_wrong_drops() const {
  const auto distinct = static_cast<double>(keys_.counts().inserted);
  if (window_) return window_->wrong_drops();
  return is_exact() ? wrong_.expected() + std::ldexp(distinct * distinct, -129) : wrong_.expected();
}

double SeenSet::estimated_distinct() const {
  return static_cast<double>(keys_.counts().inserted) + (window_ ? window_->wrong_drops() : wrong_.expected());
}

void SeenSet::settle() {
  if (window_) window_->measure(keys_);
}

bool SeenSet::promise_broken() const { return plan_.fpr && rate() > *plan_.fpr * kPromiseTolerance; }

// Two equal segments at half of the rate each, as after a change-over; or a table in half of the budget.
std::uint64_t SeenSet::memory_for_promise(double distinct) const {
  constexpr double kMargin = 1.03;
  if (window_) return plan_window({.lines = window_->lines_needed()}, *plan_.fpr, ~std::uint64_t{0}).size_bytes;
  const std::uint64_t keys = std::max<std::uint64_t>(2, rounded(distinct * kMargin));
  return std::max(kLeastMemory, std::min(2 * bytes_for(keys / 2 + 1, *plan_.fpr / 2), 2 * exact_bytes(keys)));
}

}  // namespace cli
