#include "redis/native.hpp"

#include <algorithm>
#include <array>
#include <new>

#include "bloomery/layout/windowed.hpp"
#include "redis/chain.hpp"
#include "redis/clock.hpp"

namespace bloomery::redis {
namespace {

constexpr std::size_t kGroup = 1024;  // items whose cache misses overlap

}  // namespace

std::unique_ptr<Native> Native::wrap(Result<Filter> filter, std::uint32_t expansion, const WindowClock& clock) noexcept {
  return std::unique_ptr<Native>(filter ? new (std::nothrow) Native(std::move(*filter), expansion, clock) : nullptr);
}

std::unique_ptr<Native> Native::create(Kind kind, double error_rate, std::uint64_t capacity,
                                       std::uint32_t expansion) noexcept {
  const double rate = std::min(error_rate, kMaxErrorRate) * (expansion ? kTightening : 1);
  return wrap(Filter::create({.kind = kind, .expected_keys = capacity, .fpr = rate}), expansion, {});
}

std::unique_ptr<Native> Native::create_timed(double error_rate, std::uint64_t capacity, bool rate_gives_way,
                                             const WindowClock& clock) noexcept {
  auto planned = plan({.kind = Kind::windowed, .keys = capacity, .fpr = std::min(error_rate, kMaxErrorRate)});
  if (!planned) return nullptr;
  if (rate_gives_way) planned->shape.rule |= Windowed::kWhenTold;
  return wrap(Filter::create(*planned, Hasher()), 0, clock);
}

bool Native::may_contain(std::string_view item) const noexcept {
  if (clock_.length_ms == 0) return filter_.may_contain(item);
  bool maybe = false;
  may_contain({&item, 1}, {&maybe, 1});
  return maybe;
}

void Native::may_contain(std::span<const std::string_view> items, std::span<bool> out) const noexcept {
  if (clock_.length_ms == 0) {
    filter_.may_contain(items, out);
  } else {
    filter_.may_contain_after(clock_.due(unix_ms()), items, out);
  }
}

std::uint64_t Native::room() const noexcept {
  if (windowed()) return kNoLimit;
  const Segment& last = filter_.segments().back();
  return last.planned_keys > last.keys_inserted ? last.planned_keys - last.keys_inserted : 0;
}

Added Native::grow(std::uint64_t max_bytes) noexcept {
  const Segment& last = filter_.segments().back();
  std::uint64_t keys = 0;
  if (__builtin_mul_overflow(last.planned_keys, expansion_, &keys)) return Added::no_memory;
  const auto next = plan({.kind = Kind::blocked, .keys = keys, .fpr = last.planned_fpr * kTightening});
  if (!next) return Added::no_memory;
  if (filter_.size_bytes() + next->size_bytes > max_bytes) return Added::over_limit;
  return filter_.append_segment(*next) ? Added::fresh : Added::no_memory;
}

// What was offered and known is not told to replicas, so nobody counts it: dumps are equal there. In a window it is.
void Native::forget_offers() noexcept {
  if (windowed()) return;
  Counts counts = filter_.counts();
  counts.offered = counts.inserted;
  filter_.set_counts(counts);
}

void Native::insert(std::span<const std::string_view> items, std::span<Added> out) noexcept {
  std::array<bool, kGroup> fresh;
  const bool done = bool{filter_.insert(items, std::span(fresh).first(items.size()))};
  for (std::size_t i = 0; i < items.size(); ++i)
    out[i] = !done ? Added::no_memory : fresh[i] ? Added::fresh : Added::repeat;
  if (clock_.length_ms != 0) clock_.count(items.size());
  forget_offers();
}

// A full filter still knows what it holds. REQUIRES: room() == 0.
Added Native::add_to_full(std::string_view item, std::uint64_t max_bytes) noexcept {
  const bool known = filter_.may_contain(item);
  if (known && !counts()) return Added::repeat;
  if (!known) {
    if (expansion_ == 0) return Added::full;
    if (const Added grown = grow(max_bytes); grown != Added::fresh) return grown;
  }
  Added added;
  insert({&item, 1}, {&added, 1});
  return added;
}

Added Native::add(std::string_view item, std::uint64_t max_bytes) noexcept {
  if (repeats_matter() || room() == 0) {
    Added added;
    add({&item, 1}, {&added, 1}, max_bytes);
    return added;
  }
  const auto inserted = filter_.insert(item);
  forget_offers();
  return !inserted ? Added::no_memory : *inserted == Inserted::fresh ? Added::fresh : Added::repeat;
}

std::size_t Native::add(std::span<const std::string_view> items, std::span<Added> out, std::uint64_t max_bytes) noexcept {
  std::size_t done = 0;
  while (done < items.size()) {
    const std::size_t count = std::min({items.size() - done, kGroup, static_cast<std::size_t>(room())});
    if (count > 0) {
      insert(items.subspan(done, count), out.subspan(done, count));
      done += count;
      continue;
    }
    out[done] = add_to_full(items[done], max_bytes);
    if (out[done++] == Added::full) break;
  }
  return done;
}

bool Native::erase(std::string_view item) noexcept {
  const auto erased = filter_.erase(item);
  if (!erased || *erased == Erased::absent) return false;
  forget_offers();
  return true;
}

std::uint64_t Native::count(std::string_view item) const noexcept {
  return filter_.count_at_most(item).value_or(counter_maximum());
}

}  // namespace bloomery::redis
