// A filter in pieces: a head, which says what it is, and runs of its bytes. Each has the number of SCANDUMP and
// LOADCHUNK: 1 for the head; for a run, where it ends, plus one.
#pragma once
#include <bloomery/bits.hpp>
#include <bloomery/hash.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace bloomery::redis {

constexpr std::uint64_t kMaxChunkBytes = 16 << 20;  // of SCANDUMP, of a rewritten AOF, and of our own in RDB files
constexpr long long kHeadNumber = 1;
inline long long number_of(std::uint64_t end) noexcept { return static_cast<long long>(end) + 1; }

// Where a byte is whose offset counts over all parts, one after the other. size_of(part): REQUIRES part < parts.
struct Place {
  std::size_t part;
  std::uint64_t offset;
};
template <class SizeOf>
std::optional<Place> place_of(std::uint64_t offset, std::size_t parts, SizeOf size_of) noexcept {
  for (std::size_t part = 0; part < parts; ++part) {
    if (offset < size_of(part)) return Place{part, offset};
    offset -= size_of(part);
  }
  return std::nullopt;
}

// Our own carry a checksum each, which depends on the number: no piece can take another's place.
constexpr std::size_t kSealBytes = 8;
constexpr std::uint64_t kMaxRunBytes = kMaxChunkBytes - kSealBytes;

inline std::uint64_t checksum(std::string_view piece, long long number) noexcept {
  return Hasher::xxh3(static_cast<std::uint64_t>(number))(piece).lo;
}

inline std::string sealed(std::string_view piece, long long number) {
  std::byte seal[kSealBytes];
  store_le(seal, checksum(piece, number));
  std::string out;
  out.reserve(piece.size() + kSealBytes);
  return out.append(piece).append(reinterpret_cast<const char*>(seal), kSealBytes);
}

// No value: damaged, or another piece.
inline std::optional<std::string_view> unsealed(std::string_view bytes, long long number) noexcept {
  if (bytes.size() < kSealBytes) return std::nullopt;
  const std::string_view piece = bytes.substr(0, bytes.size() - kSealBytes);
  const auto seal = load_le<std::uint64_t>(reinterpret_cast<const std::byte*>(bytes.data() + piece.size()));
  return seal == checksum(piece, number) ? std::optional(piece) : std::nullopt;
}

}  // namespace bloomery::redis
