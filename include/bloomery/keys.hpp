// Keys that are no strings. A key is bytes; these say which bytes, the same on every machine and in every language.
//
//   seen->insert(bloomery::IntegerKey(order.id));
//   seen->insert(bloomery::IntegerPairKey(order.shop, order.id));
//   seen->insert(*bloomery::hash_pair(seen->hasher(), order.shop_name, order.number));
//   auto own = bloomery::Filter::create({.expected_keys = n, .hasher = bloomery::Hasher::precomputed()});
//   own->insert(bloomery::Hash::from_u64(bloomery::mix(std::hash<Order>{}(order) + bloomery::kGolden)));
//
// The last is for hash functions of your own: std::hash of an integer is often the integer, which from_u64 must not be
// given; with a 64-bit hash that mixes already, leave mix() out. Two keys with one 64-bit hash are one key to the filter.
#pragma once
#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "bloomery/hash.hpp"
#include "bloomery/result.hpp"

namespace bloomery {

// An integer as its 8 little-endian bytes: signed ones in two's complement, extended to 64 bits, so that a number is the
// same key whatever its type; only those from 2^63 on are also negative numbers.
class IntegerKey {
 public:
  template <std::integral T>
  explicit constexpr IntegerKey(T value) noexcept {
    put(0, static_cast<std::uint64_t>(static_cast<std::int64_t>(value)));
  }
  // Valid as long as this object is.
  operator std::string_view() const noexcept { return {bytes_.data(), bytes_.size()}; }

 private:
  constexpr void put(std::size_t at, std::uint64_t value) noexcept {
    for (std::size_t i = 0; i < 8; ++i) bytes_[at + i] = static_cast<char>(static_cast<unsigned char>(value >> (8 * i)));
  }
  std::array<char, 8> bytes_ = {};
};

// Two integers: the 16 bytes of one after the other. Their order counts.
class IntegerPairKey {
 public:
  template <std::integral A, std::integral B>
  explicit IntegerPairKey(A a, B b) noexcept {
    const IntegerKey first(a), second(b);
    std::string_view(first).copy(bytes_.data(), 8);
    std::string_view(second).copy(bytes_.data() + 8, 8);
  }
  operator std::string_view() const noexcept { return {bytes_.data(), bytes_.size()}; }  // valid as long as this object is

 private:
  std::array<char, 16> bytes_ = {};
};

// Two strings: the length of the first as 8 little-endian bytes, the first, the second. So ("ab", "c") and ("a", "bc")
// are two keys. Errors: not_supported (precomputed), no_memory.
inline Result<Hash> hash_pair(const Hasher& hasher, std::string_view a, std::string_view b) {
  auto stream = HashStream::create(hasher);
  if (!stream) return stream.error();
  stream->update(IntegerKey(a.size()));
  stream->update(a);
  stream->update(b);
  return stream->finish();
}

}  // namespace bloomery
