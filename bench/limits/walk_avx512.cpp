// One 64-byte vector for each line. Compiled for AVX-512.
#include <immintrin.h>

#include "limits/walk-inl.hpp"

namespace bench {
namespace {

struct Avx512Line {
  __m512i words;

  static Avx512Line load(const std::byte* p) noexcept { return {_mm512_load_si512(p)}; }
  void store(std::byte* p) const noexcept { _mm512_store_si512(p, words); }
  void stream(std::byte* p) const noexcept { _mm512_stream_si512(reinterpret_cast<__m512i*>(p), words); }
  void join(const Avx512Line& other) noexcept { words = _mm512_xor_si512(words, other.words); }
  void set(std::uint64_t word) noexcept {
    words = _mm512_or_si512(words, _mm512_set1_epi64(static_cast<long long>(word)));
  }
  std::uint64_t fold() const noexcept {
    alignas(64) std::uint64_t parts[8];
    _mm512_store_si512(parts, words);
    return parts[0] ^ parts[1] ^ parts[2] ^ parts[3] ^ parts[4] ^ parts[5] ^ parts[6] ^ parts[7];
  }
};

}  // namespace

constinit const Walker kAvx512Walker = Walks<Avx512Line>::walker("avx512");

}  // namespace bench
