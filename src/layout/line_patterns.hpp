// How many patterns of the blocked layout a line holds.
#pragma once
#include <array>
#include <bit>
#include <cstdint>

#include "bloomery/layout/blocked.hpp"

namespace bloomery {

// Of each word of a line: how many of its bits, or counters, are set.
using Ones = std::array<std::uint64_t, Blocked::kWords>;

// Of a line of bits.
inline Ones ones_of_words(const std::byte* line) noexcept {
  Ones ones;
  for (unsigned j = 0; j < Blocked::kWords; ++j)
    ones[j] = static_cast<unsigned>(std::popcount(load_le<std::uint64_t>(line + 8 * j)));
  return ones;
}

// The products of ones[first .. first+3] over each of the 16 subsets of these four words.
inline std::array<std::uint64_t, 16> products(const Ones& ones, unsigned first) noexcept {
  std::array<std::uint64_t, 16> result;
  result[0] = 1;
  for (unsigned set = 1; set < 16; ++set)
    result[set] = result[set & (set - 1)] * ones[first + static_cast<unsigned>(std::countr_zero(set))];
  return result;
}

// How many of the 64 * (cells in a word)^k patterns the line holds: at most 2^54, so the sum is exact.
inline std::uint64_t patterns_held(const Ones& ones, const Blocked::Subsets& subsets) noexcept {
  const auto low = products(ones, 0), high = products(ones, 4);
  std::uint64_t held = 0;
  for (const unsigned subset : subsets) held += low[subset & 15] * high[subset >> 4];
  return held;
}

}  // namespace bloomery
