#include "cli/redis/slot.hpp"

namespace cli {
namespace {

std::string_view hashed_part(std::string_view key) noexcept {
  const std::size_t open = key.find('{');
  if (open == std::string_view::npos) return key;
  const std::size_t close = key.find('}', open + 1);
  return close == std::string_view::npos || close == open + 1 ? key : key.substr(open + 1, close - open - 1);
}

}  // namespace

std::uint16_t redis_slot(std::string_view key) noexcept {
  constexpr unsigned kPolynomial = 0x1021;
  unsigned crc = 0;
  for (const char byte : hashed_part(key)) {
    crc ^= static_cast<unsigned>(static_cast<unsigned char>(byte)) << 8;
    for (int bit = 0; bit < 8; ++bit) crc = (crc & 0x8000U) != 0 ? (crc << 1) ^ kPolynomial : crc << 1;
  }
  return static_cast<std::uint16_t>((crc & 0xffffU) % kRedisSlots);
}

}  // namespace cli
