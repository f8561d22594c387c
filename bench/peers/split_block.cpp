// The split block Bloom filter, as the Apache Parquet format describes it: 256-bit blocks of eight 32-bit words. The
// upper half of the hash chooses the block, the lower half times eight odd salts the bit in each word. AVX2.
#include <immintrin.h>

#include "peers/block_peer-inl.hpp"

namespace bench::peers {
namespace {

struct SplitBlock {
  static constexpr std::size_t kBlockBytes = 32;

  static std::uint64_t index(std::uint64_t key, std::uint64_t count) noexcept { return ((key >> 32) * count) >> 32; }

  static __m256i mask(std::uint64_t key) noexcept {
    const __m256i salts =
        _mm256_setr_epi32(0x47b6137b, 0x44974d91, static_cast<int>(0x8824ad5b), static_cast<int>(0xa2b7289d),
                          0x705495c7, 0x2df1424b, static_cast<int>(0x9efc4947), 0x5c6bfb31);
    const __m256i products = _mm256_mullo_epi32(_mm256_set1_epi32(static_cast<int>(key)), salts);
    return _mm256_sllv_epi32(_mm256_set1_epi32(1), _mm256_srli_epi32(products, 27));
  }

  static void insert(std::byte* block, std::uint64_t key, unsigned) noexcept {
    auto* p = reinterpret_cast<__m256i*>(block);
    _mm256_store_si256(p, _mm256_or_si256(_mm256_load_si256(p), mask(key)));
  }

  static bool contains(const std::byte* block, std::uint64_t key, unsigned) noexcept {
    return _mm256_testc_si256(_mm256_load_si256(reinterpret_cast<const __m256i*>(block)), mask(key)) != 0;
  }
};

}  // namespace

constinit const BlockPeer kSplitBlock = BlockLoops<SplitBlock>::peer("split block 8 x 32 (Parquet)");

}  // namespace bench::peers
