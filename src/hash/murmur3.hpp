// MurmurHash3 x64-128 (Austin Appleby, public domain algorithm), first word, with a 64-bit seed: the
// form that the reference article uses. Kept for exact compatibility with it.
#pragma once
#include <cstdint>
#include <string_view>

namespace bloomery {

// Both lanes start from `seed`. Cost: O(key.size()).
std::uint64_t murmur3_first_word(std::string_view key, std::uint64_t seed) noexcept;

inline constexpr std::uint64_t kArticleSeedLo = 0x123456789abcdef0;
inline constexpr std::uint64_t kArticleSeedHi = 0xfedcba9876543210;

}  // namespace bloomery
