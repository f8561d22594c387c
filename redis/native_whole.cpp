// What concerns a filter of our own as a whole, and not an item.
#include <algorithm>
#include <array>
#include <cinttypes>
#include <cstdio>

#include "bloomery/layout/windowed.hpp"
#include "bloomery/shrink.hpp"
#include "redis/blm_types.hpp"
#include "redis/clock.hpp"
#include "redis/native.hpp"

namespace bloomery::redis {
namespace {

// The segment's plan, to make another like it.
Plan plan_of(const Segment& segment) noexcept {
  return {.shape = segment.shape,
          .keys = segment.planned_keys,
          .fpr = segment.planned_fpr,
          .asked_fpr = segment.planned_fpr};
}

bool within(const Segment& part, const Segment& whole) noexcept {
  return std::equal(part.bytes.begin(), part.bytes.end(), whole.bytes.begin(),
                    [](std::byte a, std::byte b) { return (a & ~b) == std::byte{0}; });
}

template <class... Values>
std::string line(const char* format, Values... values) {
  std::array<char, 256> text;
  return {text.data(), static_cast<std::size_t>(std::snprintf(text.data(), text.size(), format, values...))};
}

std::string differ(const char* field, std::uint64_t mine, std::uint64_t theirs) {
  return std::string(field) + " differ: " + std::to_string(mine) + " and " + std::to_string(theirs);
}

}  // namespace

std::unique_ptr<Value> Native::clone() const noexcept { return wrap(filter_.clone(), expansion_, clock_); }

Type* Native::type() const noexcept { return windowed() ? windowed_type : counts() ? counting_type : blocked_type; }

Info Native::info() const noexcept {
  return {.capacity = filter_.planned_keys(),
          .size_bytes = filter_.size_bytes(),
          .filters = filter_.segments().size(),
          .items = filter_.counts().inserted,
          .expansion = expansion_};
}

std::size_t Native::memory_bytes() const noexcept { return sizeof *this + filter_.memory_bytes(); }

double Native::estimate() const noexcept { return filter_.estimated_keys().value_or(-1); }

// Anew, and not by clearing: untouched pages cost nothing.
bool Native::reset() noexcept {
  auto empty = Filter::create(plan_of(filter_.segments()[0]), filter_.hasher());
  if (!empty) return false;
  filter_ = std::move(*empty);
  clock_.items = clock_.most_items = 0;
  return true;
}

bool Native::turn(long long now_ms) noexcept {
  const std::uint64_t due = clock_.due(now_ms);
  if (due == 0) return false;
  const std::uint64_t most = Windowed::slots(filter_.segments()[0].shape);  // after these it is empty
  for (std::uint64_t i = 0; i < std::min(due, most); ++i) static_cast<void>(filter_.begin_generation());  // it has them
  clock_.turn(due);
  return true;
}

long long Native::due_ms() const noexcept {
  const std::uint64_t due = clock_.length_ms == 0 ? 0 : clock_.due(unix_ms());
  return due == 0 ? 0 : static_cast<long long>(clock_.began_ms + due * clock_.length_ms);
}

bool Native::rate_gives_way() const noexcept { return (filter_.segments()[0].shape.rule & Windowed::kWhenTold) != 0; }

std::vector<std::string> Native::describe() const {
  std::vector<std::string> lines;
  for (const Segment& segment : filter_.segments()) {
    lines.push_back(line("bytes:%zu bits:%zu hashes:%u hashwidth:128 capacity:%" PRIu64 " size:%" PRIu64 " ratio:%g",
                         segment.bytes.size(), segment.bytes.size() * 8,
                         unsigned{segment.shape.probes} * segment.shape.lines_per_key, segment.planned_keys,
                         segment.keys_inserted, segment.planned_fpr));
  }
  if (clock_.length_ms != 0)
    lines.push_back(line("seconds:%" PRIu64 " full:%s began:%" PRIu64 " items:%" PRIu64 " needed:%" PRIu64,
                         clock_.seconds(), rate_gives_way() ? "rate" : "window", clock_.began_ms, clock_.items,
                         items_needed()));
  return lines;
}

std::string Native::why_not_merge(const Native& other) const {
  if (windowed() || other.windowed()) return "windowed filters cannot be merged";
  const auto mine = filter_.segments(), theirs = other.filter_.segments();
  if (mine.size() != theirs.size()) return differ("numbers of filters", mine.size(), theirs.size());
  for (std::size_t i = 0; i < mine.size(); ++i) {
    const Shape &a = mine[i].shape, &b = theirs[i].shape;
    if (a.cells != b.cells) return differ("sizes in lines", a.cells, b.cells);
    if (a.probes != b.probes) return differ("probes", a.probes, b.probes);
    if (a.lines_per_key != b.lines_per_key) return differ("lines for each item", a.lines_per_key, b.lines_per_key);
    if (a != b) return "shapes differ";
  }
  return filter_.hasher() == other.filter_.hasher() ? "" : "hash seeds differ";
}

Native::Changed Native::merge(const Native& other) noexcept {
  const auto mine = filter_.segments(), theirs = other.filter_.segments();
  if (std::equal(theirs.begin(), theirs.end(), mine.begin(), within)) return Changed::no;
  if (!filter_.merge(other.filter_)) return Changed::no;  // cannot be: it was asked before
  forget_offers();
  return Changed::yes;
}

std::string Native::fold(std::uint64_t by) {
  auto smaller = shrink(filter_, by);
  if (!smaller) return smaller.error().message;
  filter_ = std::move(*smaller);
  return {};
}

}  // namespace bloomery::redis
