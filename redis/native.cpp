#include "redis/native.hpp"

#include <algorithm>
#include <array>
#include <cinttypes>
#include <cmath>
#include <cstring>
#include <new>

#include "bloomery/bits.hpp"
#include "bloomery/shrink.hpp"
#include "redis/blm_types.hpp"
#include "redis/chain.hpp"
#include "redis/config.hpp"

namespace bloomery::redis {
namespace {

constexpr std::size_t kGroup = 64;
constexpr std::size_t kExpansionBytes = 4;

ConstBytes bytes_of(std::string_view text) noexcept {
  return {reinterpret_cast<const std::byte*>(text.data()), text.size()};
}

// The segment's plan, to make another like it.
Plan plan_of(const Segment& segment) noexcept {
  return {.shape = segment.shape, .keys = segment.planned_keys, .fpr = segment.planned_fpr,
          .asked_fpr = segment.planned_fpr};
}

bool within(ConstBytes part, ConstBytes whole) noexcept {
  return std::equal(part.begin(), part.end(), whole.begin(), [](std::byte a, std::byte b) { return (a & ~b) == std::byte{0}; });
}

}  // namespace

std::unique_ptr<Native> Native::wrap(Result<Filter> filter, std::uint32_t expansion) noexcept {
  return std::unique_ptr<Native>(filter ? new (std::nothrow) Native(std::move(*filter), expansion) : nullptr);
}

std::unique_ptr<Native> Native::create(Kind kind, double error_rate, std::uint64_t capacity,
                                       std::uint32_t expansion) noexcept {
  const double rate = std::min(error_rate, kMaxErrorRate) * (expansion ? kTightening : 1);
  return wrap(Filter::create({.kind = kind, .expected_keys = capacity, .fpr = rate}), expansion);
}

std::unique_ptr<Native> Native::decode(Kind kind, std::string_view blm, std::uint64_t expansion) noexcept {
  if (expansion > kMaxExpansion || (kind != Kind::blocked && expansion != 0) || !verify(bytes_of(blm))) return nullptr;
  auto filter = bloomery::decode(bytes_of(blm), {.load = Load::copy});
  if (!filter || filter->growth() || !filter->can(Filter::Op::insert_string)) return nullptr;
  for (const Segment& segment : filter->segments())
    if (segment.shape.kind != kind || segment.planned_keys == 0) return nullptr;
  return wrap(std::move(filter), static_cast<std::uint32_t>(expansion));
}

std::unique_ptr<Native> Native::unpack(std::string_view packed) noexcept {
  if (packed.size() < kExpansionBytes) return nullptr;
  const auto expansion = load_le<std::uint32_t>(bytes_of(packed).data());
  packed.remove_prefix(kExpansionBytes);
  auto header = bloomery::decode(bytes_of(packed), {.load = Load::map});
  if (!header) return nullptr;
  const Kind kind = header->kind();
  if (kind != Kind::blocked && kind != Kind::counting && kind != Kind::windowed) return nullptr;
  return decode(kind, packed, expansion);
}

void Native::may_contain(std::span<const std::string_view> items, std::span<bool> out) const noexcept {
  filter_.may_contain(items, out);
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
  std::array<bool, kGroup> fresh = {};
  const bool done = bool{filter_.insert(items, std::span(fresh).first(items.size()))};
  for (std::size_t i = 0; i < items.size(); ++i)
    out[i] = !done ? Added::no_memory : fresh[i] ? Added::fresh : Added::repeat;
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

std::unique_ptr<Value> Native::clone() const noexcept { return wrap(filter_.clone(), expansion_); }

Type* Native::type() const noexcept { return windowed() ? windowed_type : counts() ? counting_type : blocked_type; }

Info Native::info() const noexcept {
  return {.capacity = filter_.planned_keys(), .size_bytes = filter_.size_bytes(),
          .filters = filter_.segments().size(), .items = filter_.counts().inserted, .expansion = expansion_};
}

std::size_t Native::memory_bytes() const noexcept { return sizeof *this + filter_.memory_bytes(); }

double Native::estimate() const noexcept { return filter_.estimated_keys().value_or(-1); }

// Anew, and not by clearing: untouched pages cost nothing.
bool Native::reset() noexcept {
  auto empty = Filter::create(plan_of(filter_.segments()[0]), filter_.hasher());
  if (!empty) return false;
  filter_ = std::move(*empty);
  return true;
}

std::vector<std::string> Native::describe() const {
  std::vector<std::string> lines;
  for (const Segment& segment : filter_.segments()) {
    std::array<char, 256> text;
    const int size = std::snprintf(text.data(), text.size(),
                                   "bytes:%zu bits:%zu hashes:%u hashwidth:128 capacity:%" PRIu64 " size:%" PRIu64 " ratio:%g",
                                   segment.bytes.size(), segment.bytes.size() * 8,
                                   unsigned{segment.shape.probes} * segment.shape.lines_per_key, segment.planned_keys,
                                   segment.keys_inserted, segment.planned_fpr);
    lines.emplace_back(text.data(), static_cast<std::size_t>(size));
  }
  return lines;
}

std::vector<std::byte> Native::encode() const {
  auto bytes = bloomery::encode(filter_);
  return bytes ? std::move(*bytes) : std::vector<std::byte>{};
}

std::string Native::pack() const {
  const auto blm = encode();
  std::string out(kExpansionBytes, '\0');
  std::memcpy(out.data(), &expansion_, kExpansionBytes);
  if (!blm.empty()) out.append(reinterpret_cast<const char*>(blm.data()), blm.size());
  return blm.empty() ? std::string() : out;
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

std::string Native::why_not_merge(const Native& other) const {
  if (windowed() || other.windowed()) return "windowed filters cannot be merged";
  if (filter_.segments().size() != 1 || other.filter_.segments().size() != 1)
    return "filters of layout blocked that grew cannot be merged";
  const Shape &a = filter_.segments()[0].shape, &b = other.filter_.segments()[0].shape;
  const auto differ = [](const char* field, std::uint64_t mine, std::uint64_t theirs) {
    return std::string(field) + " differ: " + std::to_string(mine) + " and " + std::to_string(theirs);
  };
  if (a.cells != b.cells) return differ("sizes in lines", a.cells, b.cells);
  if (a.probes != b.probes) return differ("probes", a.probes, b.probes);
  if (a.lines_per_key != b.lines_per_key) return differ("lines for each item", a.lines_per_key, b.lines_per_key);
  if (a != b) return "shapes differ";
  return filter_.hasher() == other.filter_.hasher() ? "" : "hash seeds differ";
}

Native::Changed Native::merge(const Native& other) noexcept {
  if (within(other.filter_.segments()[0].bytes, filter_.segments()[0].bytes)) return Changed::no;
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
