// For hash/aes_kernels.cpp: four vectors of 16 bytes. Inside its namespace, so without includes.

namespace hn = hwy::HWY_NAMESPACE;

using Lane = hn::Full128<std::uint8_t>;
using LaneVector = hn::Vec<Lane>;

HWY_INLINE LaneVector vector_of(std::uint64_t lo, std::uint64_t hi) noexcept {
  const hn::Full128<std::uint64_t> words;  // not by way of memory: see kept_apart
  return hn::BitCast(Lane(), hn::InterleaveLower(words, hn::Set(words, lo), hn::Set(words, hi)));
}
HWY_INLINE LaneVector vector_of(AesBlock block) noexcept { return vector_of(block.lo, block.hi); }

HWY_INLINE LaneVector absorb_block(LaneVector lane, LaneVector block) noexcept {
  return hn::AESRound(hn::AESRound(hn::Xor(lane, block), vector_of(kAesMiddle)), block);
}

// Up to 15 bytes, then zeros, and never a byte beyond them.
inline AesBlock load_short(const std::byte* p, std::size_t size) noexcept {
  if (size >= 8) {
    const unsigned shift = static_cast<unsigned>(16 - size) * 8;  // 8 to 64
    return {load_le<std::uint64_t>(p), load_le<std::uint64_t>(p + size - 8) >> (shift - 8) >> 8};
  }
  if (size >= 4) {
    const std::uint64_t high = load_le<std::uint32_t>(p + size - 4);
    return {load_le<std::uint32_t>(p) | high << ((size - 4) * 8), 0};
  }
  std::uint64_t word = 0;
  for (std::size_t i = 0; i < size; ++i) word |= std::to_integer<std::uint64_t>(p[i]) << (8 * i);
  return {word, 0};
}

// Loaded from byte n on, it moves 16 bytes down by n, and zeros up into their place.
alignas(32) constexpr std::uint8_t kSlide[32] = {0,    1,    2,    3,    4,    5,    6,    7,    8,    9,   10,
                                                 11,   12,   13,   14,   15,   0x80, 0x80, 0x80, 0x80, 0x80, 0x80,
                                                 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80};

// The 16 bytes from `at` on, with zeros where the key has ended, without a branch: what would reach beyond the
// end is loaded from further down, and moved. REQUIRES: size >= 16.
HWY_INLINE LaneVector load_block(const char* p, std::size_t size, std::size_t at) noexcept {
  const std::size_t from = HWY_MIN(at, size - 16);
  const std::size_t slide = HWY_MIN(at - from, std::size_t{16});
  return hn::TableLookupBytesOr0(hn::LoadU(Lane(), reinterpret_cast<const std::uint8_t*>(p) + from),
                                 hn::LoadU(Lane(), kSlide + slide));
}

struct Lanes {
  LaneVector s0, s1, s2, s3;

  HWY_INLINE void absorb(LaneVector b0, LaneVector b1, LaneVector b2, LaneVector b3) noexcept {
    s0 = absorb_block(s0, b0);
    s1 = absorb_block(s1, b1);
    s2 = absorb_block(s2, b2);
    s3 = absorb_block(s3, b3);
  }

  HWY_INLINE Hash finish(std::uint64_t length, std::uint64_t seed) const noexcept {
    const auto key = vector_of(length, seed);
    const auto even = hn::AESRound(hn::AESRound(s0, key), hn::AESRound(s2, key));
    const auto odd = hn::AESRound(hn::AESRound(s1, key), hn::AESRound(s3, key));
    const auto joined = hn::AESRound(hn::AESRound(even, odd), vector_of(kAesEnd[0]));
    const auto end = hn::AESRound(joined, vector_of(kAesEnd[1]));
    alignas(16) std::uint64_t words[2];
    hn::Store(hn::BitCast(hn::Full128<std::uint64_t>(), end), hn::Full128<std::uint64_t>(), words);
    return {words[0], words[1]};
  }
};

HWY_INLINE Lanes start_lanes(std::uint64_t seed) noexcept {
  const auto mask = vector_of(seed, seed);
  return {hn::Xor(vector_of(kAesStart[0]), mask), hn::Xor(vector_of(kAesStart[1]), mask),
          hn::Xor(vector_of(kAesStart[2]), mask), hn::Xor(vector_of(kAesStart[3]), mask)};
}

HWY_INLINE Hash hash_one(std::string_view key, std::uint64_t seed) noexcept {
  const char* const p = key.data();
  const std::size_t size = key.size();
  Lanes lanes = start_lanes(seed);
  if (size < 16) {
    const auto none = hn::Zero(Lane());
    lanes.absorb(vector_of(load_short(reinterpret_cast<const std::byte*>(p), size)), none, none, none);
    return lanes.finish(size, seed);
  }
  std::size_t at = 0;
  do {
    lanes.absorb(load_block(p, size, at), load_block(p, size, at + 16), load_block(p, size, at + 32),
                 load_block(p, size, at + 48));
    at += AesHash::kBlockBytes;
  } while (at < size);
  return lanes.finish(size, seed);
}
