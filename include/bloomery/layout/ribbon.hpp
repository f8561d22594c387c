// ribbon: the smallest static filter. Bumped ribbon retrieval, Dillinger, Huebschle-Schneider, Sanders and
// Walzer 2022, with 64-bit ribbons.
//
// A key is an equation over 64 neighbouring slots of `cell_bits` = r bits (1..32): the exclusive or of those slots
// that its coefficients choose is its fingerprint. There are three layers of slots. Layer 0 is given more keys
// than it can hold; a bucket of 128 places says how many of its first places are bumped: the keys that start there
// are in layer 1, and, in the same way, in layer 2, which holds all that come to it.
//   word_0 = mix(mix(lo ^ salt) + hi), word_(l+1) = mix(word_l + kGolden)
//   start = high64(word_l, slots_l - 63), coefficients = mix(word_l), lowest bit set, fingerprint = word_l mod 2^r
//   bucket = start / 128 of layer 0 or 1; bumped if start % 128 < kBumped[code of the bucket]
// Slots of the layers: param[0], param[1] and the rest of `cells`; all multiples of 64, 0 without keys.
// The bytes: the slots in blocks of 64, layer after layer; a block is r 64-bit words, and bit i of word j is bit j of
// slot i. Then the codes of layer 0, 2 bits each, the low ones of a byte first, up to a whole byte; so for layer 1.
#pragma once
#include <bit>

#include "bloomery/layout.hpp"

namespace bloomery {

struct Ribbon {
  static constexpr Kind kind = Kind::ribbon;
  static constexpr std::string_view name = "ribbon";
  static constexpr unsigned kLayers = 3, kMaxCellBits = 32;
  static constexpr std::uint64_t kBlock = 64;  // slots in a block, coefficients of a key
  static constexpr std::uint64_t kBucket = 128;
  static constexpr std::uint64_t kBumped[4] = {0, 22, 50, kBucket};
  static constexpr std::uint64_t kMaxCells = std::uint64_t{1} << 42;

  static Result<Shape> plan(const PlanRequest& want);
  static Result<void> check(const Shape& s);
  static std::uint64_t size_bytes(const Shape& s) noexcept {
    return s.cells / 8 * s.cell_bits + code_bytes(s.param[0]) + code_bytes(s.param[1]);
  }
  static std::uint64_t size_bits(const Shape& s) noexcept { return 8 * size_bytes(s); }
  static double fpr(const Shape& s, std::uint64_t keys) noexcept;
  static double fill_ratio(const Shape& s, ConstBytes) noexcept { return s.cells == 0 ? 0 : 1; }
  static double current_fpr(const Shape& s, ConstBytes) noexcept { return s.cells == 0 ? 0 : fpr(s, 1); }

  static std::uint64_t word_of(const Shape& s, Hash h) noexcept { return mix(mix(h.lo ^ s.salt) + h.hi); }
  static constexpr std::uint64_t next_word(std::uint64_t word) noexcept { return mix(word + kGolden); }
  static constexpr std::uint64_t start_of(std::uint64_t word, std::uint64_t slots) noexcept {
    return high64(word, slots - (kBlock - 1));
  }
  static constexpr std::uint64_t coefficients_of(std::uint64_t word) noexcept { return mix(word) | 1; }
  static constexpr std::uint64_t code_bytes(std::uint64_t slots) noexcept {
    return (2 * ((slots + kBucket - 1) / kBucket) + 7) / 8;
  }

  static bool may_contain(const Shape& s, ConstBytes bytes, Hash h) noexcept {
    return may_contain_word(s, bytes, word_of(s, h));
  }

  static bool may_contain_word(const Shape& s, ConstBytes bytes, std::uint64_t word) noexcept {
    const std::uint64_t slots[kLayers] = {s.param[0], s.param[1], s.cells - s.param[0] - s.param[1]};
    std::uint64_t codes = s.cells / 8 * s.cell_bits, first_slot = 0;
    for (unsigned layer = 0; layer < kLayers; ++layer, word = next_word(word)) {
      if (slots[layer] == 0) continue;
      const std::uint64_t start = start_of(word, slots[layer]);
      const bool last = layer == kLayers - 1;
      if (last || !is_bumped(bytes.data() + codes, start)) return solves(s, bytes, first_slot + start, word);
      codes += code_bytes(slots[layer]);
      first_slot += slots[layer];
    }
    return false;
  }

  static bool is_bumped(const std::byte* codes, std::uint64_t start) noexcept {
    const std::uint64_t bucket = start / kBucket;
    const unsigned code = (std::to_integer<unsigned>(codes[bucket / 4]) >> (2 * (bucket % 4))) & 3;
    return start % kBucket < kBumped[code];
  }

  // Does the equation that starts at this slot, of all layers, give the fingerprint?
  static bool solves(const Shape& s, ConstBytes bytes, std::uint64_t slot, std::uint64_t word) noexcept {
    const std::uint64_t coefficients = coefficients_of(word), in_block = slot % kBlock;
    const std::byte* block = bytes.data() + slot / kBlock * 8 * s.cell_bits;
    const std::byte* next = in_block == 0 ? block : block + 8 * s.cell_bits;
    const std::uint64_t here = coefficients << in_block, there = coefficients >> 1 >> (63 - in_block);
    for (unsigned j = 0; j < s.cell_bits; ++j) {
      const std::uint64_t chosen =
          (load_le<std::uint64_t>(block + 8 * j) & here) ^ (load_le<std::uint64_t>(next + 8 * j) & there);
      if (((static_cast<unsigned>(std::popcount(chosen)) ^ (word >> j)) & 1) != 0) return false;
    }
    return true;
  }

  // The shape for about `keys` distinct keys, with the cell_bits of s; how many are bumped is known only when built.
  static Shape sized(const Shape& s, std::uint64_t keys) noexcept;
  static std::uint64_t build_bytes(const Shape& s, std::uint64_t keys) noexcept;
  // As Fuse::build. Sets cells, salt and params of s. Cost: O(keys), with 21 bytes of scratch for each.
  static Result<std::uint64_t> build(Shape& s, Bytes bytes, std::span<const Hash> keys);
};

}  // namespace bloomery
