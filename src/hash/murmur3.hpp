// MurmurHash3 x64-128 (Austin Appleby, public domain algorithm), first word, with a 64-bit seed: the
// form that the reference article uses. Kept for exact compatibility with it.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "bloomery/hash.hpp"

namespace bloomery {

class Murmur3 {
 public:
  static constexpr std::size_t kBlockBytes = 16;

  explicit Murmur3(std::uint64_t seed) noexcept : h1_(seed), h2_(seed) {}
  void absorb(const std::byte* block) noexcept;  // kBlockBytes of them
  // The first word, after the last `tail_bytes` (below kBlockBytes) of `length` bytes in all.
  std::uint64_t finish(const std::byte* tail, std::size_t tail_bytes, std::uint64_t length) const noexcept;

 private:
  std::uint64_t h1_, h2_;
};

// Both lanes start from `seed`. Cost: O(key.size()).
std::uint64_t murmur3_first_word(std::string_view key, std::uint64_t seed) noexcept;

inline constexpr std::uint64_t kArticleSeedLo = 0x123456789abcdef0;
inline constexpr std::uint64_t kArticleSeedHi = 0xfedcba9876543210;

// The article's Hash: a step of zero would probe one bit only.
constexpr Hash murmur3_pair(std::uint64_t lo, std::uint64_t hi) noexcept { return {lo, hi == 0 ? 1 : hi}; }

}  // namespace bloomery
