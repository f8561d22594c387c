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

std::uint64_t avalanche(std::uint64_t k) noexcept {
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

void Murmur3::absorb(const std::byte* block) noexcept {
  h1_ ^= scramble_1(load_le<std::uint64_t>(block));
  h1_ = (std::rotl(h1_, 27) + h2_) * 5 + 0x52dce729;
  h2_ ^= scramble_2(load_le<std::uint64_t>(block + 8));
  h2_ = (std::rotl(h2_, 31) + h1_) * 5 + 0x38495ab5;
}

std::uint64_t Murmur3::finish(const std::byte* tail, std::size_t tail_bytes, std::uint64_t length) const noexcept {
  std::uint64_t h1 = h1_, h2 = h2_;
  if (tail_bytes > 8) h2 ^= scramble_2(load_partial(tail + 8, tail_bytes - 8));
  if (tail_bytes > 0) h1 ^= scramble_1(load_partial(tail, tail_bytes < 8 ? tail_bytes : 8));
  h1 ^= length;
  h2 ^= length;
  h1 += h2;
  h2 += h1;
  return avalanche(h1) + avalanche(h2);
}

std::uint64_t murmur3_first_word(std::string_view key, std::uint64_t seed) noexcept {
  Murmur3 state(seed);
  const auto* p = reinterpret_cast<const std::byte*>(key.data());
  std::size_t left = key.size();
  for (; left >= Murmur3::kBlockBytes; left -= Murmur3::kBlockBytes, p += Murmur3::kBlockBytes) state.absorb(p);
  return state.finish(p, left, key.size());
}

}  // namespace bloomery
