// Where a key lives in a cluster.
#pragma once
#include <cstdint>
#include <string_view>

namespace cli {

inline constexpr unsigned kRedisSlots = 16384;

// CRC16 (XMODEM) of the part in the key's first braces, or of all of it where they are missing or empty, mod 16384.
// Source: the specification of Redis Cluster.
std::uint16_t redis_slot(std::string_view key) noexcept;

}  // namespace cli
