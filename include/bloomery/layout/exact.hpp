// exact: the 128-bit hashes themselves, 16 bytes per key (lo, then hi, little-endian), strictly
// ascending by (lo, hi). Two honest keys of n collide with chance about n^2 / 2^129, and only then is
// an answer wrong. This is the form of files; in memory an exact filter is a table that grows.
#pragma once
#include "bloomery/layout.hpp"

namespace bloomery {

struct BLOOMERY_API Exact {
  static constexpr Kind kind = Kind::exact;
  static constexpr std::string_view name = "exact";
  static constexpr std::uint64_t kEntryBytes = 16;
  static constexpr std::uint64_t kMaxCells = std::uint64_t{1} << 44;

  static constexpr bool less(Hash a, Hash b) noexcept { return a.lo != b.lo ? a.lo < b.lo : a.hi < b.hi; }
  static Hash at(ConstBytes bytes, std::uint64_t i) noexcept {
    const std::byte* p = bytes.data() + i * kEntryBytes;
    return {load_le<std::uint64_t>(p), load_le<std::uint64_t>(p + 8)};
  }

  static Result<Shape> plan(const PlanRequest& want);
  static Result<void> check(const Shape& s);  // cells may be 0
  static std::uint64_t size_bytes(const Shape& s) noexcept { return s.cells * kEntryBytes; }
  static std::uint64_t size_bits(const Shape& s) noexcept { return s.cells * 128; }
  static double fpr(const Shape& s, std::uint64_t keys) noexcept;       // keys / 2^128
  static double fill_ratio(const Shape& s, ConstBytes bytes) noexcept;  // 1, or 0 when empty
  static double current_fpr(const Shape& s, ConstBytes bytes) noexcept;

  // Binary search, so bytes that are not sorted give wrong answers and nothing worse.
  static bool may_contain(const Shape& s, ConstBytes bytes, Hash h) noexcept {
    std::uint64_t first = 0, count = s.cells;
    while (count > 0) {
      const std::uint64_t half = count / 2;
      if (less(at(bytes, first + half), h)) {
        first += half + 1;
        count -= half + 1;
      } else {
        count = half;
      }
    }
    return first < s.cells && at(bytes, first) == h;
  }

  static std::uint64_t build_bytes(const Shape&, std::uint64_t keys) noexcept { return keys * kEntryBytes; }
  // Sorts, drops repeats, and sets s.cells to what is left, which it returns.
  // REQUIRES: bytes.size() >= 16 * keys.size(). Errors: no_memory.
  static Result<std::uint64_t> build(Shape& s, Bytes bytes, std::span<const Hash> keys);
};

}  // namespace bloomery
