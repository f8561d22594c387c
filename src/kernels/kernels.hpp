// Batches over one segment. Each function does what the scalar layout does key by key, in order, and
// leaves the same bytes; which instruction set does it is chosen at run time (bloomery/kernel.hpp).
#pragma once
#include <array>
#include <cstdint>
#include <span>

#include "bloomery/layout/blocked.hpp"

namespace bloomery::kernels {

// out[i] = may_contain(keys[i]); returns how many are true. out: room for keys.size() answers.
// REQUIRES (all): a checked shape, bytes.size() == size_bytes(shape). Bytes need no alignment.
// Words are taken as Hash::from_u64(word).
std::uint64_t may_contain(const Shape& shape, ConstBytes bytes, std::span<const Hash> keys, bool* out) noexcept;
std::uint64_t may_contain(const Shape& shape, ConstBytes bytes, std::span<const std::uint64_t> keys,
                          bool* out) noexcept;

// fresh[i] = did keys[i] change a bit; returns how many did. fresh may be null.
// REQUIRES: an Insertable kind.
std::uint64_t insert(const Shape& shape, Bytes bytes, std::span<const Hash> keys, bool* fresh) noexcept;
std::uint64_t insert(const Shape& shape, Bytes bytes, std::span<const std::uint64_t> keys, bool* fresh) noexcept;

// insert() into a blocked segment whose lines do not follow each other.
std::uint64_t insert(const Shape& shape, Blocked::WritableLines lines, std::span<const Hash> keys,
                     bool* fresh) noexcept;

// Asks for the first lines of few keys in a blocked segment, unless it stays in the second-level cache.
void fetch(const Shape& shape, Blocked::Lines lines, std::span<const Hash> keys) noexcept;

// Blocked segments of equally many lines that take turns in memory: the first line of way w is line w, and all have
// the same stride.
struct Ways {
  static constexpr std::size_t kMost = 8;
  Blocked::Lines lines;  // of the first
  std::size_t count = 0;
  std::array<Shape, kMost> shapes = {};
};
// out[i] = may any way contain keys[i]? Returns how many are true.
std::uint64_t any_way_may_contain(const Ways& ways, std::span<const Hash> keys, bool* out) noexcept;

// erased[i] = was keys[i] taken out, in order. `gone` counts those that are not even maybes afterwards.
// erased may be null. REQUIRES: an Erasable kind.
struct Erasures {
  std::uint64_t erased = 0;
  std::uint64_t gone = 0;
};
Erasures erase(const Shape& shape, Bytes bytes, std::span<const Hash> keys, bool* erased) noexcept;

}  // namespace bloomery::kernels
