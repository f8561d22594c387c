// One bit in each of the eight 64-bit words of a cache line, as Boost.Bloom's documentation describes its
// fast_multiblock64 with K = 8. Line from the high bits of the hash; the eight 6-bit positions from a product of it.
// AVX2, two vectors for each line.
#include <immintrin.h>

#include "peers/block_peer-inl.hpp"

namespace bench::peers {
namespace {

struct Multiblock {
  static constexpr std::size_t kBlockBytes = 64;

  static std::uint64_t index(std::uint64_t key, std::uint64_t count) noexcept {
    __extension__ typedef unsigned __int128 Wide;
    return static_cast<std::uint64_t>((static_cast<Wide>(key) * count) >> 64);
  }

  struct Mask {
    __m256i low, high;
  };
  static Mask mask(std::uint64_t key) noexcept {
    const __m256i mixed = _mm256_set1_epi64x(static_cast<long long>(key * 0x9E3779B97F4A7C15));
    const __m256i ones = _mm256_set1_epi64x(1), six_bits = _mm256_set1_epi64x(63);
    const __m256i low = _mm256_srlv_epi64(mixed, _mm256_setr_epi64x(58, 52, 46, 40));
    const __m256i high = _mm256_srlv_epi64(mixed, _mm256_setr_epi64x(34, 28, 22, 16));
    return {_mm256_sllv_epi64(ones, _mm256_and_si256(low, six_bits)),
            _mm256_sllv_epi64(ones, _mm256_and_si256(high, six_bits))};
  }

  static void insert(std::byte* block, std::uint64_t key, unsigned) noexcept {
    auto* p = reinterpret_cast<__m256i*>(block);
    const Mask bits = mask(key);
    _mm256_store_si256(p, _mm256_or_si256(_mm256_load_si256(p), bits.low));
    _mm256_store_si256(p + 1, _mm256_or_si256(_mm256_load_si256(p + 1), bits.high));
  }

  static bool contains(const std::byte* block, std::uint64_t key, unsigned) noexcept {
    const auto* p = reinterpret_cast<const __m256i*>(block);
    const Mask bits = mask(key);
    const __m256i missing = _mm256_or_si256(_mm256_andnot_si256(_mm256_load_si256(p), bits.low),
                                            _mm256_andnot_si256(_mm256_load_si256(p + 1), bits.high));
    return _mm256_testz_si256(missing, missing) != 0;
  }
};

}  // namespace

constinit const BlockPeer kMultiblock = BlockLoops<Multiblock>::peer("multiblock 8 x 64 (Boost.Bloom)");

}  // namespace bench::peers
