// classic: m bits, k probes anywhere among them. Bloom 1970.
//
// Bit b is bit b % 8 of byte b / 8. Which bits a key touches:
//   rule 0 (murmur3 hashes only; the reference article's): bit i is (lo + i * hi mod 2^64) mod m.
//   rule 1 (all others): x_0 = lo, d = hi | 1; bit i is high64(mix(x_i), m), x_{i+1} = x_i + d.
// Plain and enhanced double hashing without the mixing both miss the promised rate in tiny filters
// and at very low rates (docs/fpr.md).
#pragma once
#include <cmath>

#include "bloomery/layout.hpp"

namespace bloomery {

struct BLOOMERY_API Classic {
  static constexpr Kind kind = Kind::classic;
  static constexpr std::string_view name = "classic";
  static constexpr std::uint8_t kArticleRule = 0;
  static constexpr std::uint8_t kMixedRule = 1;
  static constexpr std::uint64_t kMaxCells = std::uint64_t{1} << 50;
  static constexpr unsigned kMaxProbes = 255;

  static Result<Shape> plan(const PlanRequest& want);
  static Result<void> check(const Shape& s);
  static std::uint64_t size_bytes(const Shape& s) noexcept { return (s.cells + 7) / 8; }
  static std::uint64_t size_bits(const Shape& s) noexcept { return s.cells; }
  static double fpr(const Shape& s, std::uint64_t keys) noexcept;
  static double fill_ratio(const Shape& s, ConstBytes bytes) noexcept;
  static double current_fpr(const Shape& s, ConstBytes bytes) noexcept;

  static bool may_contain(const Shape& s, ConstBytes bytes, Hash h) noexcept {
    return every_probe(s, h, [&](std::uint64_t bit) {
      return ((std::to_integer<unsigned>(bytes[bit / 8]) >> (bit % 8)) & 1) != 0;
    });
  }

  static bool insert(const Shape& s, Bytes bytes, Hash h) noexcept {
    unsigned all_set = 1;
    every_probe(s, h, [&](std::uint64_t bit) {
      const unsigned byte = std::to_integer<unsigned>(bytes[bit / 8]);
      all_set &= byte >> (bit % 8);
      bytes[bit / 8] = static_cast<std::byte>(byte | 1u << (bit % 8));
      return true;
    });
    return (all_set & 1) == 0;
  }

  // Calls visit(bit) for the k probes of h, in order, until it returns false.
  template <class Visit>
  static bool every_probe(const Shape& s, Hash h, Visit visit) noexcept {
    const bool article = s.rule == kArticleRule;
    const std::uint64_t step = article ? h.hi : h.hi | 1;
    std::uint64_t x = h.lo;
    for (unsigned i = 0; i < s.probes; ++i, x += step)
      if (!visit(article ? x % s.cells : high64(mix(x), s.cells))) return false;
    return true;
  }
};

}  // namespace bloomery
