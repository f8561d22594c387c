// fuse: a static filter, built once from all keys. Binary fuse filters, Graf and Lemire 2022.
//
// `cells` fingerprints of `cell_bits` (8, 16 or 32) bits, little-endian, in segments of param[0] = L of them, L a
// power of two. A key owns one cell in each of `probes` (3 or 4) neighbouring segments, and the exclusive or of
// these cells is the fingerprint of the key. A stranger's cells give its fingerprint by chance: 2^-cell_bits.
//   a = mix(mix(lo ^ salt) + hi), b = mix(a)
//   start = high64(a, cells - (probes - 1) * L)
//   cell_0 = start, cell_i = (start + i * L) ^ ((b >> 21 * (i - 1)) mod L)
//   fingerprint = a mod 2^cell_bits
// The salt is one with which the equations of all keys could be solved. Without keys there are no cells, and the
// answer is no.
#pragma once
#include <array>

#include "bloomery/layout.hpp"

namespace bloomery {

struct Fuse {
  static constexpr Kind kind = Kind::fuse;
  static constexpr std::string_view name = "fuse";
  static constexpr unsigned kMinProbes = 3, kMaxProbes = 4;
  static constexpr std::uint64_t kMinSegment = 4, kMaxSegment = std::uint64_t{1} << 21;
  static constexpr std::uint64_t kMaxCells = std::uint64_t{1} << 42;

  using Cells = std::array<std::uint64_t, kMaxProbes>;  // the first `probes` count

  static Result<Shape> plan(const PlanRequest& want);
  static Result<void> check(const Shape& s);
  static std::uint64_t size_bytes(const Shape& s) noexcept { return s.cells * (s.cell_bits / 8); }
  static std::uint64_t size_bits(const Shape& s) noexcept { return s.cells * s.cell_bits; }
  static double fpr(const Shape& s, std::uint64_t keys) noexcept;
  static double fill_ratio(const Shape& s, ConstBytes) noexcept { return s.cells == 0 ? 0 : 1; }
  static double current_fpr(const Shape& s, ConstBytes) noexcept { return s.cells == 0 ? 0 : fpr(s, 1); }

  // All that the equations see of a key: two keys with one word have one equation.
  static std::uint64_t word_of(const Shape& s, Hash h) noexcept { return mix(mix(h.lo ^ s.salt) + h.hi); }

  // visit(i, cell_i) for each cell of a key. REQUIRES: cells > 0.
  template <class Visit>
  static void each_cell(const Shape& s, std::uint64_t word, Visit visit) noexcept {
    const std::uint64_t segment = s.param[0], b = mix(word);
    const std::uint64_t start = high64(word, s.cells - (s.probes - 1u) * segment);
    visit(0u, start);
    for (unsigned i = 1; i < s.probes; ++i) visit(i, (start + i * segment) ^ ((b >> (21 * (i - 1))) & (segment - 1)));
  }
  static Cells cells_of(const Shape& s, std::uint64_t word) noexcept {
    Cells cells{};
    each_cell(s, word, [&cells](unsigned i, std::uint64_t cell) { cells[i] = cell; });
    return cells;
  }

  // Of the word and its cells, zero for every key that is in.
  static std::uint32_t difference(const Shape& s, ConstBytes bytes, std::uint64_t word, const Cells& cells) noexcept {
    auto sum = static_cast<std::uint32_t>(word);
    for (unsigned i = 0; i < s.probes; ++i) sum ^= value_at(s, bytes, cells[i]);
    return s.cell_bits == 32 ? sum : sum & ((1u << s.cell_bits) - 1);
  }

  static bool may_contain(const Shape& s, ConstBytes bytes, Hash h) noexcept {
    if (s.cells == 0) return false;
    const std::uint64_t word = word_of(s, h);
    return difference(s, bytes, word, cells_of(s, word)) == 0;
  }

  static std::uint32_t value_at(const Shape& s, ConstBytes bytes, std::uint64_t cell) noexcept {
    const std::byte* p = bytes.data() + cell * (s.cell_bits / 8);
    return s.cell_bits == 8 ? std::to_integer<std::uint32_t>(*p)
           : s.cell_bits == 16 ? load_le<std::uint16_t>(p)
                               : load_le<std::uint32_t>(p);
  }

  // The shape for `keys` distinct keys, with the cell_bits and probes of s; the salt is not yet known.
  static Shape sized(const Shape& s, std::uint64_t keys) noexcept;
  // Room that build may need.
  static std::uint64_t build_bytes(const Shape& s, std::uint64_t keys) noexcept;
  // Returns the number of distinct keys (by word_of). Sets cells, salt and segment of s, and fills the first size_bytes(s).
  // REQUIRES: a shape by plan() or sized(); bytes zeroed, build_bytes(s, keys.size()) of them. Errors: no_memory;
  // full, should no salt of many do (which has not been seen). Cost: O(keys), with 20 bytes of scratch for each.
  static Result<std::uint64_t> build(Shape& s, Bytes bytes, std::span<const Hash> keys);
};

}  // namespace bloomery
