// The few operations on integers that the bits of every layout are defined with.
#pragma once
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

namespace bloomery {

using Bytes = std::span<std::byte>;
using ConstBytes = std::span<const std::byte>;

inline constexpr std::uint64_t kGolden = 0x9E3779B97F4A7C15;  // 2^64 / golden ratio, odd
inline constexpr std::uint64_t kMixMultiplier = 0xD6E8FEB86659FD93;

// A bijection of 64-bit words in which every output bit depends on every input bit.
// Source: the xmxmx family of Stafford and Degski; constants by Pelle Evensen's search.
constexpr std::uint64_t mix(std::uint64_t z) noexcept {
  z ^= z >> 32;
  z *= kMixMultiplier;
  z ^= z >> 32;
  return z;
}

__extension__ typedef unsigned __int128 uint128_t;

// The upper half of a * b: maps a uniform 64-bit `a` onto [0, b) without a division.
// Source: Lemire, "Fast random integer generation in an interval", 2019.
constexpr std::uint64_t high64(std::uint64_t a, std::uint64_t b) noexcept {
  return static_cast<std::uint64_t>((static_cast<uint128_t>(a) * b) >> 64);
}

// Little-endian loads and stores at any alignment.
template <class T>
T load_le(const std::byte* p) noexcept {
  static_assert(std::endian::native == std::endian::little, "a big-endian port byte-swaps here");
  T value;
  std::memcpy(&value, p, sizeof value);
  return value;
}

template <class T>
void store_le(std::byte* p, T value) noexcept {
  static_assert(std::endian::native == std::endian::little, "a big-endian port byte-swaps here");
  std::memcpy(p, &value, sizeof value);
}

// The same word, kept in a register of its own. Two words that come in registers to lie side by side in memory are
// stored by GCC, loaded as one vector, which waits for both stores, and stored again: twice the time of hashing a short key.
template <class Word>
Word kept_apart(Word word) noexcept {
#if defined(__GNUC__)
  asm("" : "+r"(word));
#endif
  return word;
}

}  // namespace bloomery
