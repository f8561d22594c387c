#include "hash/siphash.hpp"

#include <bit>
#include <cstddef>

namespace bloomery {

// v1 carries an extra 0xee because 128 bits come out.
SipHash::SipHash(const SecretKey& secret) noexcept {
  const std::uint64_t k0 = load_le<std::uint64_t>(secret.data());
  const std::uint64_t k1 = load_le<std::uint64_t>(secret.data() + 8);
  v0_ = k0 ^ 0x736f6d6570736575;
  v1_ = k1 ^ 0x646f72616e646f6d ^ 0xee;
  v2_ = k0 ^ 0x6c7967656e657261;
  v3_ = k1 ^ 0x7465646279746573;
}

void SipHash::round() noexcept {
  v0_ += v1_;
  v1_ = std::rotl(v1_, 13) ^ v0_;
  v0_ = std::rotl(v0_, 32);
  v2_ += v3_;
  v3_ = std::rotl(v3_, 16) ^ v2_;
  v0_ += v3_;
  v3_ = std::rotl(v3_, 21) ^ v0_;
  v2_ += v1_;
  v1_ = std::rotl(v1_, 17) ^ v2_;
  v2_ = std::rotl(v2_, 32);
}

void SipHash::absorb(std::uint64_t word) noexcept {
  v3_ ^= word;
  round();
  round();
  v0_ ^= word;
}

std::uint64_t SipHash::squeeze() noexcept {
  for (int i = 0; i < 4; ++i) round();
  return v0_ ^ v1_ ^ v2_ ^ v3_;
}

Hash SipHash::finish(const std::byte* tail, std::size_t tail_bytes, std::uint64_t length) const noexcept {
  SipHash last = *this;
  std::uint64_t word = length << 56;
  for (std::size_t i = 0; i < tail_bytes; ++i) word |= std::to_integer<std::uint64_t>(tail[i]) << (8 * i);
  last.absorb(word);
  last.v2_ ^= 0xee;
  const std::uint64_t lo = last.squeeze();
  last.v1_ ^= 0xdd;
  const std::uint64_t hi = last.squeeze();
  return {lo, hi};
}

Hash siphash_2_4_128(std::string_view key, const SecretKey& secret) noexcept {
  SipHash state(secret);
  const auto* p = reinterpret_cast<const std::byte*>(key.data());
  std::size_t left = key.size();
  for (; left >= SipHash::kBlockBytes; left -= SipHash::kBlockBytes, p += SipHash::kBlockBytes) state.absorb(p);
  return state.finish(p, left, key.size());
}

}  // namespace bloomery
