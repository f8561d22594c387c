// The two members of the MurmurHash2 family that RedisBloom hashes with. Source: Austin Appleby's SMHasher (2008).
#pragma once
#include <cstdint>
#include <string_view>

namespace bloomery::redis {

std::uint32_t murmur2(std::string_view key, std::uint32_t seed) noexcept;    // 32 bits
std::uint64_t murmur64a(std::string_view key, std::uint64_t seed) noexcept;  // 64 bits

}  // namespace bloomery::redis
