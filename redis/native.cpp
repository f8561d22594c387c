#include "redis/native.hpp"

#include <algorithm>
#include <array>
#include <new>

#include "redis/chain.hpp"

namespace bloomery::redis {
namespace {

constexpr std::size_t kGroup = 64;

ConstBytes bytes_of(std::string_view text) noexcept {
  return {reinterpret_cast<const std::byte*>(text.data()), text.size()};
}

}  // namespace

std::unique_ptr<Native> Native::create(double error_rate, std::uint64_t capacity, std::uint32_t expansion) noexcept {
  const double rate = std::min(error_rate, kMaxErrorRate) * (expansion ? kTightening : 1);
  auto filter = Filter::create({.kind = Kind::blocked, .expected_keys = capacity, .fpr = rate});
  return std::unique_ptr<Native>(filter ? new (std::nothrow) Native(std::move(*filter), expansion) : nullptr);
}

std::unique_ptr<Native> Native::decode(std::string_view blm, std::uint32_t expansion) noexcept {
  if (!verify(bytes_of(blm))) return nullptr;
  auto filter = bloomery::decode(bytes_of(blm), {.load = Load::copy});
  if (!filter || filter->segments().empty() || !filter->can(Filter::Op::insert_string)) return nullptr;
  for (const Segment& segment : filter->segments())
    if (segment.shape.kind != Kind::blocked || segment.planned_keys == 0) return nullptr;
  return std::unique_ptr<Native>(new (std::nothrow) Native(std::move(*filter), expansion));
}

void Native::may_contain(std::span<const std::string_view> items, std::span<bool> out) const noexcept {
  filter_.may_contain(items, out);
}

std::uint64_t Native::room() const noexcept {
  const Segment& last = filter_.segments().back();
  return last.planned_keys > last.keys_inserted ? last.planned_keys - last.keys_inserted : 0;
}

bool Native::grow() noexcept {
  const Segment& last = filter_.segments().back();
  std::uint64_t keys = 0;
  if (__builtin_mul_overflow(last.planned_keys, expansion_, &keys)) return false;
  const auto next = plan({.kind = Kind::blocked, .keys = keys, .fpr = last.planned_fpr * kTightening});
  return next && filter_.append_segment(*next);
}

void Native::insert(std::span<const std::string_view> items, std::span<Added> out) noexcept {
  std::array<bool, kGroup> fresh = {};
  const bool done = bool{filter_.insert(items, std::span(fresh).first(items.size()))};
  for (std::size_t i = 0; i < items.size(); ++i)
    out[i] = !done ? Added::no_memory : fresh[i] ? Added::fresh : Added::repeat;
}

// A full filter still knows what it holds. REQUIRES: room() == 0.
Added Native::add_to_full(std::string_view item) noexcept {
  if (filter_.may_contain(item)) return Added::repeat;
  if (expansion_ == 0) return Added::full;
  if (!grow()) return Added::no_memory;
  Added added;
  insert({&item, 1}, {&added, 1});
  return added;
}

std::size_t Native::add(std::span<const std::string_view> items, std::span<Added> out) noexcept {
  std::size_t done = 0;
  while (done < items.size()) {
    const std::size_t count = std::min({items.size() - done, kGroup, static_cast<std::size_t>(room())});
    if (count > 0) {
      insert(items.subspan(done, count), out.subspan(done, count));
      done += count;
      continue;
    }
    out[done] = add_to_full(items[done]);
    if (out[done++] == Added::full) break;
  }
  return done;
}

std::unique_ptr<Bloom> Native::clone() const noexcept {
  auto copy = filter_.clone();
  return std::unique_ptr<Bloom>(copy ? new (std::nothrow) Native(std::move(*copy), expansion_) : nullptr);
}

Info Native::info() const noexcept {
  return {.capacity = filter_.planned_keys(), .size_bytes = filter_.size_bytes(),
          .filters = filter_.segments().size(), .items = filter_.counts().inserted, .expansion = expansion_};
}

std::size_t Native::memory_bytes() const noexcept { return sizeof *this + filter_.memory_bytes(); }

std::vector<std::byte> Native::encode() const {
  auto bytes = bloomery::encode(filter_);
  return bytes ? std::move(*bytes) : std::vector<std::byte>{};
}

}  // namespace bloomery::redis
