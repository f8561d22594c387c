// One key at a time, inline, with no call and no choice at run time: for loops that must ask between other
// work and cannot collect a batch. Compiled for what the including file is compiled for (-march).
//
//   if (auto view = bloomery::BlockedView::of(filter)) ... view->may_contain(hash) ...
//
// Files compiled for different instruction sets may meet in one program: each has its own inline namespace.
// The bits are those of bloomery/layout/blocked.hpp.
#pragma once
#if defined(__AVX2__)
#include <immintrin.h>
#endif

#include "bloomery/filter.hpp"
#include "bloomery/layout/blocked.hpp"

#if defined(__AVX512F__)
#define BLOOMERY_VIEW_SET view_avx512
#elif defined(__AVX2__)
#define BLOOMERY_VIEW_SET view_avx2
#else
#define BLOOMERY_VIEW_SET view_portable
#endif

namespace bloomery {
inline namespace BLOOMERY_VIEW_SET {

class BlockedView {
 public:
  // REQUIRES: a checked blocked shape, bytes.size() == size_bytes(shape), and bytes that outlive the view.
  BlockedView(const Shape& shape, ConstBytes bytes) noexcept
      : data_(bytes.data()),
        lines_(shape.cells),
        subsets_(Blocked::subsets(shape.probes).data()),
        lines_per_key_(shape.lines_per_key) {}

  // No value: another kind, or several segments. The view lives until the next change of the filter's
  // segments; inserting keys is no such change.
  static std::optional<BlockedView> of(const Filter& filter) noexcept {
    if (filter.kind() != Kind::blocked || filter.segments().size() != 1) return std::nullopt;
    return BlockedView(filter.segments().front().shape, filter.segments().front().bytes);
  }

  // As Filter::may_contain(key).
  bool may_contain(Hash key) const noexcept {
    return lines_per_key_ == 1 ? test_line(key.lo) : test_lines(key);  // the branch that can be foreseen first
  }
  // As Filter::may_contain(Hash::from_u64(word)).
  bool may_contain(std::uint64_t word) const noexcept {
    return lines_per_key_ == 1 ? test_line(word) : test_lines(Hash::from_u64(word));
  }

  // Fetches what may_contain(key) will read first: worth it some 50 ns before, in a large filter.
  void prefetch(Hash key) const noexcept { __builtin_prefetch(line(key.lo), 0, 1); }

 private:
  const std::byte* line(std::uint64_t w) const noexcept {
    return data_ + Blocked::line_of(w, lines_) * Blocked::kLineBytes;
  }

  bool test_line(std::uint64_t w) const noexcept {
    return (subsets_[w & 63] & ~present(line(w), Blocked::pattern_of(w))) == 0;
  }

  bool test_lines(Hash key) const noexcept {
    std::uint64_t w = key.lo, next = key.hi;
    for (unsigned t = 0; t < lines_per_key_; ++t) {
      if (!test_line(w)) return false;
      const std::uint64_t after_next = Blocked::next_word(w, t + 2);
      w = next;
      next = after_next;
    }
    return true;
  }

  // Bit j: does word j of the line have the bit that the pattern gives it?
  static unsigned present(const std::byte* line, std::uint64_t pattern) noexcept {
#if defined(__AVX512F__)
    const __m512i shifts = _mm512_setr_epi64(0, 8, 16, 24, 32, 40, 48, 56);
    // The forms with a mask, of all ones: GCC 12 warns of its own definitions of the others.
    const __m512i places =
        _mm512_maskz_srlv_epi64(0xFF, _mm512_set1_epi64(static_cast<long long>(pattern)), shifts);
    const __m512i turned = _mm512_maskz_rorv_epi64(0xFF, _mm512_loadu_si512(line), places);  // modulo 64
    return _mm512_test_epi64_mask(turned, _mm512_set1_epi64(1));
#elif defined(__AVX2__)
    return half(line, pattern) | half(line + 32, pattern >> 32) << 4;
#else
    unsigned bits = 0;
    for (unsigned j = Blocked::kWords; j-- > 0;)
      bits = append_bit(bits, load_le<std::uint64_t>(line + 8 * j), pattern >> (8 * j));
    return bits;
#endif
  }

  // 2 * bits + bit (place modulo 64) of word.
  static unsigned append_bit(unsigned bits, std::uint64_t word, std::uint64_t place) noexcept {
#if defined(__x86_64__) && !defined(__BMI2__)
    // No compiler finds these two; shifts by a count in a register cost twice as much here.
    asm("btq %2, %1\n\tadcl %0, %0" : "+r"(bits) : "r"(word), "r"(place) : "cc");
    return bits;
#else
    return 2 * bits + static_cast<unsigned>((word >> (place & 63)) & 1);
#endif
  }

#if defined(__AVX2__) && !defined(__AVX512F__)
  static unsigned half(const std::byte* words, std::uint64_t pattern) noexcept {
    const __m256i all = _mm256_srlv_epi64(_mm256_set1_epi64x(static_cast<long long>(pattern)),
                                          _mm256_setr_epi64x(0, 8, 16, 24));
    // Shifting left by 63 - place brings the bit to the top, where movemask finds it.
    const __m256i places = _mm256_andnot_si256(all, _mm256_set1_epi64x(63));
    const __m256i line = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(words));
    return static_cast<unsigned>(_mm256_movemask_pd(_mm256_castsi256_pd(_mm256_sllv_epi64(line, places))));
  }
#endif

  const std::byte* data_;
  std::uint64_t lines_;
  const std::uint8_t* subsets_;
  unsigned lines_per_key_;
};

}  // namespace BLOOMERY_VIEW_SET
}  // namespace bloomery

#undef BLOOMERY_VIEW_SET
