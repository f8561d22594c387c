#include "hash/murmur3.hpp"

#include <bit>
#include <cstddef>

#include "bloomery/bits.hpp"

namespace bloomery {
namespace {

constexpr std::uint64_t kC1 = 0x87c37b91114253d5;
constexpr std::uint64_t kC2 = 0x4cf5ad432745937f;

std::uint64_t scramble_1(std::uint64_t k) noexcept { return std::rotl(k * kC1, 31) * kC2; }
std::uint64_t scramble_2(std::uint64_t k) noexcept { return std::rotl(k * kC2, 33) * kC1; }

std::uint64_t finish(std::uint64_t k) noexcept {
  k ^= k >> 33;
  k *= 0xff51afd7ed558ccd;
  k ^= k >> 33;
  k *= 0xc4ceb9fe1a85ec53;
  return k ^ (k >> 33);
}

// Up to eight bytes, little-endian, the missing ones zero.
std::uint64_t load_partial(const std::byte* p, std::size_t count) noexcept {
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < count; ++i) value |= std::to_integer<std::uint64_t>(p[i]) << (8 * i);
  return value;
}

}  // namespace

std::uint64_t murmur3_first_word(std::string_view key, std::uint64_t seed) noexcept {
  const auto* p = reinterpret_cast<const std::byte*>(key.data());
  std::uint64_t h1 = seed, h2 = seed;
  std::size_t left = key.size();
  for (; left >= 16; left -= 16, p += 16) {
    h1 ^= scramble_1(load_le<std::uint64_t>(p));
    h1 = (std::rotl(h1, 27) + h2) * 5 + 0x52dce729;
    h2 ^= scramble_2(load_le<std::uint64_t>(p + 8));
    h2 = (std::rotl(h2, 31) + h1) * 5 + 0x38495ab5;
  }
  if (left > 8) h2 ^= scramble_2(load_partial(p + 8, left - 8));
  if (left > 0) h1 ^= scramble_1(load_partial(p, left < 8 ? left : 8));

  h1 ^= key.size();
  h2 ^= key.size();
  h1 += h2;
  h2 += h1;
  return finish(h1) + finish(h2);
}

}  // namespace bloomery
