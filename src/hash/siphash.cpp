#include "hash/siphash.hpp"

#include <bit>
#include <cstddef>

namespace bloomery {
namespace {

struct State {
  std::uint64_t v0, v1, v2, v3;

  void round() noexcept {
    v0 += v1;
    v1 = std::rotl(v1, 13) ^ v0;
    v0 = std::rotl(v0, 32);
    v2 += v3;
    v3 = std::rotl(v3, 16) ^ v2;
    v0 += v3;
    v3 = std::rotl(v3, 21) ^ v0;
    v2 += v1;
    v1 = std::rotl(v1, 17) ^ v2;
    v2 = std::rotl(v2, 32);
  }

  void absorb(std::uint64_t word) noexcept {
    v3 ^= word;
    round();
    round();
    v0 ^= word;
  }

  std::uint64_t squeeze() noexcept {
    for (int i = 0; i < 4; ++i) round();
    return v0 ^ v1 ^ v2 ^ v3;
  }
};

}  // namespace

Hash siphash_2_4_128(std::string_view key, const SecretKey& secret) noexcept {
  const std::uint64_t k0 = load_le<std::uint64_t>(secret.data());
  const std::uint64_t k1 = load_le<std::uint64_t>(secret.data() + 8);
  // v1 carries an extra 0xee because 128 bits come out.
  State s{k0 ^ 0x736f6d6570736575, k1 ^ 0x646f72616e646f6d ^ 0xee, k0 ^ 0x6c7967656e657261, k1 ^ 0x7465646279746573};

  const auto* p = reinterpret_cast<const std::byte*>(key.data());
  std::size_t left = key.size();
  for (; left >= 8; left -= 8, p += 8) s.absorb(load_le<std::uint64_t>(p));
  std::uint64_t last = static_cast<std::uint64_t>(key.size()) << 56;
  for (std::size_t i = 0; i < left; ++i) last |= std::to_integer<std::uint64_t>(p[i]) << (8 * i);
  s.absorb(last);

  s.v2 ^= 0xee;
  const std::uint64_t lo = s.squeeze();
  s.v1 ^= 0xdd;
  const std::uint64_t hi = s.squeeze();
  return {lo, hi};
}

}  // namespace bloomery
