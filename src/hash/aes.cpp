#include "hash/aes.hpp"

#include <algorithm>
#include <bit>

namespace bloomery {
namespace {

// In the field of AES, GF(2)[x] / (x^8 + x^4 + x^3 + x + 1).
constexpr std::uint8_t twice(std::uint8_t a) noexcept {
  return static_cast<std::uint8_t>((a << 1) ^ ((a >> 7) * 0x1b));
}

constexpr std::uint8_t times(std::uint8_t a, std::uint8_t b) noexcept {
  std::uint8_t product = 0;
  for (; b != 0; b = static_cast<std::uint8_t>(b >> 1), a = twice(a))
    if (b & 1) product ^= a;
  return product;
}

// a^254, the inverse (0 for 0), and the affine map behind it.
constexpr std::uint8_t substitute(std::uint8_t a) noexcept {
  std::uint8_t inverse = 1, power = a;
  for (int exponent = 254; exponent != 0; exponent /= 2, power = times(power, power))
    if (exponent % 2 == 1) inverse = times(inverse, power);
  std::uint8_t out = 0x63;
  for (int turn = 0; turn < 5; ++turn) out ^= std::rotl(inverse, turn);
  return out;
}

// What the byte of row 0 adds to its column after SubBytes and MixColumns; row r adds the same, r bytes on.
constexpr std::array<std::uint32_t, 256> make_columns() noexcept {
  std::array<std::uint32_t, 256> columns = {};
  for (std::uint32_t i = 0; i < 256; ++i) {
    const std::uint8_t s = substitute(static_cast<std::uint8_t>(i));
    const std::uint32_t two = twice(s);
    columns[i] = two | std::uint32_t{s} << 8 | std::uint32_t{s} << 16 | (two ^ s) << 24;
  }
  return columns;
}

constexpr std::array<std::uint32_t, 256> kColumns = make_columns();

std::uint32_t byte_of(AesBlock b, unsigned i) noexcept {
  return static_cast<std::uint8_t>((i < 8 ? b.lo : b.hi) >> (i % 8 * 8));
}

std::uint32_t column(AesBlock b, unsigned c) noexcept {
  std::uint32_t sum = 0;
  for (unsigned row = 0; row < 4; ++row)
    sum ^= std::rotl(kColumns[byte_of(b, (4 * (c + row) + row) % 16)], static_cast<int>(8 * row));
  return sum;
}

AesBlock load(const std::byte* p) noexcept { return {load_le<std::uint64_t>(p), load_le<std::uint64_t>(p + 8)}; }

}  // namespace

AesBlock aes_round(AesBlock state, AesBlock key) noexcept {
  const AesBlock mixed = {column(state, 0) | std::uint64_t{column(state, 1)} << 32,
                          column(state, 2) | std::uint64_t{column(state, 3)} << 32};
  return mixed ^ key;
}

AesHash::AesHash(std::uint64_t seed) noexcept : lanes_(kAesStart), seed_(seed) {
  for (AesBlock& lane : lanes_) lane = lane ^ AesBlock{seed, seed};
}

void AesHash::absorb(const std::byte* stripe) noexcept {
  for (AesBlock& lane : lanes_) {
    const AesBlock block = load(stripe);
    lane = aes_round(aes_round(lane ^ block, kAesMiddle), block);
    stripe += sizeof(AesBlock);
  }
}

Hash AesHash::finish(const std::byte* tail, std::size_t tail_bytes, std::uint64_t length) const noexcept {
  AesHash last = *this;
  if (tail_bytes > 0 || length == 0) {
    std::array<std::byte, kBlockBytes> stripe = {};
    std::copy_n(tail, tail_bytes, stripe.data());
    last.absorb(stripe.data());
  }
  for (AesBlock& lane : last.lanes_) lane = aes_round(lane, {length, seed_});
  const AesBlock even = aes_round(last.lanes_[0], last.lanes_[2]);
  const AesBlock odd = aes_round(last.lanes_[1], last.lanes_[3]);
  const AesBlock end = aes_round(aes_round(aes_round(even, odd), kAesEnd[0]), kAesEnd[1]);
  return {end.lo, end.hi};
}

Hash aes_hash_portable(std::string_view key, std::uint64_t seed) noexcept {
  AesHash state(seed);
  const auto* p = reinterpret_cast<const std::byte*>(key.data());
  std::size_t left = key.size();
  for (; left >= AesHash::kBlockBytes; left -= AesHash::kBlockBytes, p += AesHash::kBlockBytes) state.absorb(p);
  return state.finish(p, left, key.size());
}

}  // namespace bloomery
