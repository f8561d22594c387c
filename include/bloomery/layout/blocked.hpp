// blocked: the default. Lines of 512 bits, one cache line each; a key owns r lines and sets k bits,
// in k different words, in each. Putze, Sanders, Singler 2007; the choice of k out of eight words is ours.
//
// A line is eight little-endian 64-bit words. For t in 0 .. r-1:
//   w_0 = lo, w_1 = hi, w_t = mix(w_{t-2} + t * kGolden)
//   line_t = high64(w_t, lines); subset_t = S_k[w_t % 64]; g_t = (w_t >> 6) * kGolden mod 2^64
//   word j of line_t takes bit (g_t >> 8j) % 64, for each j in subset_t.
// S_k: 64 subsets of the eight words with k elements. Of the orbits under rotation that have eight
// members, take the least member as 8-bit number, in ascending order: R of them; entry i is
// representative (i / 8) mod R rotated left by i mod 8. k = 8: always all words.
#pragma once
#include <array>
#include <bit>

#include "bloomery/layout.hpp"

namespace bloomery {

struct BLOOMERY_API Blocked {
  static constexpr Kind kind = Kind::blocked;
  static constexpr std::string_view name = "blocked";
  static constexpr std::uint64_t kLineBytes = 64;
  static constexpr std::uint64_t kLineBits = 512;
  static constexpr unsigned kWords = 8;
  static constexpr unsigned kMaxProbes = 8;
  static constexpr unsigned kMaxLinesPerKey = 8;
  static constexpr std::uint64_t kMaxCells = std::uint64_t{1} << 41;

  using Subsets = std::array<std::uint8_t, 64>;
  // subsets(k)[i] has bit j set if word j takes a bit. REQUIRES: 1 <= k <= 8.
  static constexpr const Subsets& subsets(unsigned k) noexcept { return kSubsets[k]; }

  // The t-th word of a key: which line, which words, which bits.
  static constexpr std::uint64_t next_word(std::uint64_t two_before, unsigned t) noexcept {
    return mix(two_before + t * kGolden);
  }
  static constexpr std::uint64_t line_of(std::uint64_t w, std::uint64_t lines) noexcept { return high64(w, lines); }
  static constexpr std::uint64_t pattern_of(std::uint64_t w) noexcept { return (w >> 6) * kGolden; }

  static Result<Shape> plan(const PlanRequest& want);
  static Result<void> check(const Shape& s);
  static std::uint64_t size_bytes(const Shape& s) noexcept { return s.cells * kLineBytes; }
  static std::uint64_t size_bits(const Shape& s) noexcept { return s.cells * kLineBits; }
  static double fpr(const Shape& s, std::uint64_t keys) noexcept;
  static double fill_ratio(const Shape& s, ConstBytes bytes) noexcept { return fill_ratio(s, Lines(bytes.data())); }
  static double current_fpr(const Shape& s, ConstBytes bytes) noexcept { return current_fpr(s, Lines(bytes.data())); }
  static bool may_contain(const Shape& s, ConstBytes bytes, Hash h) noexcept {
    return may_contain(s, Lines(bytes.data()), h);
  }
  static bool insert(const Shape& s, Bytes bytes, Hash h) noexcept { return insert(s, WritableLines(bytes.data()), h); }

  // The lines of a segment where they lie: one after the other, unless they take turns with those of other segments.
  template <class Byte>
  struct LinesOf {
    explicit constexpr LinesOf(Byte* first_line, std::uint64_t bytes_apart = kLineBytes) noexcept
        : first(first_line), stride(bytes_apart) {}
    Byte* at(std::uint64_t line) const noexcept { return first + line * stride; }
    Byte* first;
    std::uint64_t stride;  // bytes from one line to the next
  };
  using Lines = LinesOf<const std::byte>;
  using WritableLines = LinesOf<std::byte>;

  static double fill_ratio(const Shape& s, Lines lines) noexcept;
  static double current_fpr(const Shape& s, Lines lines) noexcept;

  static bool may_contain(const Shape& s, Lines lines, Hash h) noexcept {
    return every_line(s, h, [&](std::uint64_t w) {
      return missing_bits(lines.at(line_of(w, s.cells)), subsets(s.probes)[w & 63], pattern_of(w)) == 0;
    });
  }

  static bool insert(const Shape& s, WritableLines lines, Hash h) noexcept {
    std::uint64_t changed = 0;
    every_line(s, h, [&](std::uint64_t w) {
      std::byte* line = lines.at(line_of(w, s.cells));
      const unsigned subset = subsets(s.probes)[w & 63];
      const std::uint64_t pattern = pattern_of(w);
      const std::uint64_t missing = missing_bits(line, subset, pattern);
      changed |= missing;
      if (missing == 0) return true;  // a repeat writes nothing: its page may be shared with a child that saves
      for (unsigned j = 0; j < kWords; ++j)
        store_le(line + 8 * j, load_le<std::uint64_t>(line + 8 * j) | bit_in_word(subset, pattern, j));
      return true;
    });
    return changed != 0;
  }

  // Calls visit(w_t) for the r words of h, in order, until it returns false.
  template <class Visit>
  static bool every_line(const Shape& s, Hash h, Visit visit) noexcept {
    std::uint64_t w = h.lo, next = h.hi;
    for (unsigned t = 0; t < s.lines_per_key; ++t) {
      if (!visit(w)) return false;
      const std::uint64_t after_next = next_word(w, t + 2);
      w = next;
      next = after_next;
    }
    return true;
  }

  // A pattern's bit in word j of a line, and the bits of it that a line has not.
  static constexpr std::uint64_t bit_in_word(unsigned subset, std::uint64_t pattern, unsigned j) noexcept {
    return static_cast<std::uint64_t>((subset >> j) & 1) << ((pattern >> (8 * j)) & 63);
  }

  static std::uint64_t missing_bits(const std::byte* line, unsigned subset, std::uint64_t pattern) noexcept {
    std::uint64_t missing = 0;
    for (unsigned j = 0; j < kWords; ++j)
      missing |= bit_in_word(subset, pattern, j) & ~load_le<std::uint64_t>(line + 8 * j);
    return missing;
  }

 private:
  static constexpr Subsets generate_subsets(unsigned k) noexcept {
    std::array<std::uint8_t, 256> representatives{};
    unsigned count = 0;
    for (unsigned value = 0; value < 256; ++value) {
      const auto byte = static_cast<std::uint8_t>(value);
      if (std::popcount(byte) != static_cast<int>(k)) continue;
      bool least_of_eight = true;
      for (int turn = 1; turn < 8; ++turn) least_of_eight = least_of_eight && byte < std::rotl(byte, turn);
      if (least_of_eight) representatives[count++] = byte;
    }
    if (count == 0) representatives[count++] = 255;  // k = 8 (k = 0 is never asked for)
    Subsets subsets{};
    for (unsigned i = 0; i < 64; ++i)
      subsets[i] = std::rotl(representatives[(i / 8) % count], static_cast<int>(i % 8));
    return subsets;
  }

  static constexpr std::array<Subsets, 9> generate_all_subsets() noexcept {
    std::array<Subsets, 9> all{};
    for (unsigned k = 1; k <= 8; ++k) all[k] = generate_subsets(k);
    return all;
  }
  BLOOMERY_LOCAL static const std::array<Subsets, 9> kSubsets;
};

inline constexpr std::array<Blocked::Subsets, 9> Blocked::kSubsets = Blocked::generate_all_subsets();

}  // namespace bloomery
