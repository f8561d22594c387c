// k probes anywhere in a cache line, as RocksDB describes its FastLocalBloom: the lower half of the hash chooses the
// line; the upper half, multiplied by the golden ratio again and again, gives nine bits from its top for each probe.
// Lookups test eight probes at once with AVX2, as theirs do; inserts set one bit after the other, as theirs do.
#include <immintrin.h>

#include <algorithm>
#include <cstring>

#include "peers/block_peer-inl.hpp"

namespace bench::peers {
namespace {

constexpr std::uint32_t kGoldenRatio = 0x9e3779b9;

constexpr std::uint32_t power(unsigned exponent) noexcept {
  std::uint32_t result = 1;
  while (exponent-- > 0) result *= kGoldenRatio;
  return result;
}

struct FreeProbes {
  static constexpr std::size_t kBlockBytes = 64;

  static std::uint64_t index(std::uint64_t key, std::uint64_t count) noexcept {
    return (static_cast<std::uint64_t>(static_cast<std::uint32_t>(key)) * count) >> 32;
  }

  static void insert(std::byte* block, std::uint64_t key, unsigned k) noexcept {
    auto hash = static_cast<std::uint32_t>(key >> 32);
    for (unsigned i = 0; i < k; ++i, hash *= kGoldenRatio) {
      const std::uint32_t bit = hash >> (32 - 9);
      block[bit / 8] |= static_cast<std::byte>(1u << (bit % 8));
    }
  }

  // Which of the eight probes from `hash` on, the first `wanted` of them, find their bit unset? None: true.
  static bool all_set(const std::byte* block, std::uint32_t hash, unsigned wanted) noexcept {
    const __m256i powers = _mm256_setr_epi32(
        static_cast<int>(power(0)), static_cast<int>(power(1)), static_cast<int>(power(2)), static_cast<int>(power(3)),
        static_cast<int>(power(4)), static_cast<int>(power(5)), static_cast<int>(power(6)), static_cast<int>(power(7)));
    const __m256i hashes = _mm256_mullo_epi32(_mm256_set1_epi32(static_cast<int>(hash)), powers);
    // Bits 31-28 choose one of sixteen words: 31 the half of the line, 30-28 the word in it.
    const auto* p = reinterpret_cast<const __m256i*>(block);
    const __m256i word = _mm256_srli_epi32(hashes, 28);
    const __m256i low = _mm256_permutevar8x32_epi32(_mm256_load_si256(p), word);
    const __m256i high = _mm256_permutevar8x32_epi32(_mm256_load_si256(p + 1), word);
    const __m256i words = _mm256_castps_si256(
        _mm256_blendv_ps(_mm256_castsi256_ps(low), _mm256_castsi256_ps(high), _mm256_castsi256_ps(hashes)));
    const __m256i numbers = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
    const __m256i counts = _mm256_cmpgt_epi32(_mm256_set1_epi32(static_cast<int>(wanted)), numbers);
    const __m256i bit = _mm256_srli_epi32(_mm256_slli_epi32(hashes, 4), 27);
    const __m256i mask = _mm256_sllv_epi32(_mm256_srli_epi32(counts, 31), bit);
    return _mm256_testc_si256(words, mask) != 0;
  }

  static bool contains(const std::byte* block, std::uint64_t key, unsigned k) noexcept {
    auto hash = static_cast<std::uint32_t>(key >> 32);
    for (; k > 8; k -= 8, hash *= power(8))
      if (!all_set(block, hash, 8)) return false;
    return all_set(block, hash, k);
  }
};

}  // namespace

constinit const BlockPeer kFreeProbes = BlockLoops<FreeProbes>::peer("512 bits, k free probes (RocksDB)");

}  // namespace bench::peers
