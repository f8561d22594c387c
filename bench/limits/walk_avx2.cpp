// Two 32-byte vectors for each line. Compiled for AVX2.
#include <immintrin.h>

#include "limits/walk-inl.hpp"

namespace bench {
namespace {

struct Avx2Line {
  __m256i low, high;

  static const __m256i* at(const std::byte* p) noexcept { return reinterpret_cast<const __m256i*>(p); }
  static __m256i* at(std::byte* p) noexcept { return reinterpret_cast<__m256i*>(p); }
  static Avx2Line load(const std::byte* p) noexcept { return {_mm256_load_si256(at(p)), _mm256_load_si256(at(p) + 1)}; }
  void store(std::byte* p) const noexcept {
    _mm256_store_si256(at(p), low);
    _mm256_store_si256(at(p) + 1, high);
  }
  void stream(std::byte* p) const noexcept {
    _mm256_stream_si256(at(p), low);
    _mm256_stream_si256(at(p) + 1, high);
  }
  void join(const Avx2Line& other) noexcept {
    low = _mm256_xor_si256(low, other.low);
    high = _mm256_xor_si256(high, other.high);
  }
  void set(std::uint64_t word) noexcept {
    const __m256i words = _mm256_set1_epi64x(static_cast<long long>(word));
    low = _mm256_or_si256(low, words);
    high = _mm256_or_si256(high, words);
  }
  std::uint64_t fold() const noexcept {
    alignas(32) std::uint64_t words[4];
    _mm256_store_si256(reinterpret_cast<__m256i*>(words), _mm256_xor_si256(low, high));
    return words[0] ^ words[1] ^ words[2] ^ words[3];
  }
};

}  // namespace

constinit const Walker kAvx2Walker = Walks<Avx2Line>::walker("avx2");

}  // namespace bench
