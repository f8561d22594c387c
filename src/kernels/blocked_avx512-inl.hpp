// blocked_line-inl.hpp for AVX-512, and blocks of keys whose lines and patterns are found eight at a time.
// Included inside the namespace of this instruction set, so without an include guard and without includes.

// Highway has no rotation by a different count in each element. It needs no mask for the count, and turning
// the line instead of the bits leaves a test of one bit in each word: a third fewer instructions.

struct Subsets {
  const std::uint8_t* members;
  const std::uint64_t (*ones)[Blocked::kWords];
  static Subsets of(unsigned probes) { return {Blocked::subsets(probes).data(), kSubsetOnes[probes].row}; }
};

// The place of the bit in each word, modulo 64.
HWY_INLINE __m512i places(std::uint64_t w) {
  const auto pattern = static_cast<long long>(Blocked::pattern_of(w));
  return _mm512_srlv_epi64(_mm512_set1_epi64(pattern), _mm512_setr_epi64(0, 8, 16, 24, 32, 40, 48, 56));
}

// members: bit j is set if word j takes a bit.
HWY_INLINE bool test_bits(const std::byte* line, std::uint8_t members, __m512i turn) {
  const __m512i turned = _mm512_rorv_epi64(_mm512_loadu_si512(line), turn);
  return (_mm512_testn_epi64_mask(turned, _mm512_set1_epi64(1)) & members) == 0;
}

HWY_INLINE bool test_line(const Subsets& subsets, const std::byte* line, std::uint64_t w) {
  return test_bits(line, subsets.members[w & 63], places(w));
}

HWY_INLINE bool set_bits(std::byte* line, const std::uint64_t* ones, __m512i turn) {
  const __m512i old = _mm512_loadu_si512(line);
  const __m512i bits = _mm512_rolv_epi64(_mm512_load_si512(ones), turn);
  const __m512i now = _mm512_or_si512(old, bits);
  _mm512_storeu_si512(line, now);
  return _mm512_cmpneq_epi64_mask(old, now) != 0;
}

HWY_INLINE bool set_line(const Subsets& subsets, std::byte* line, std::uint64_t w) {
  return set_bits(line, subsets.ones[w & 63], places(w));
}

constexpr std::size_t kBlock = 64;

// What is known of 64 keys before their lines are looked at, and what became of them.
struct Block {
  alignas(64) std::uint64_t offset[kBlock];  // of the line, in bytes
  alignas(64) std::uint64_t pattern[kBlock];
  alignas(64) std::uint8_t subset[kBlock];
  alignas(64) __mmask8 words[WaysJob::kMost][kBlock];  // of the line of each way: bit j is what was found in word j
};

// The first words of eight keys.
HWY_INLINE __m512i first_words(const std::uint64_t* keys) { return _mm512_loadu_si512(keys); }
HWY_INLINE __m512i first_words(const Hash* keys) {
  const __m512i even = _mm512_setr_epi64(0, 2, 4, 6, 8, 10, 12, 14);
  return _mm512_permutex2var_epi64(_mm512_loadu_si512(keys), even, _mm512_loadu_si512(keys + 4));
}

// REQUIRES: lines <= kMaxBlockLines, so that the products of halves below do not overflow.
constexpr std::uint64_t kMaxBlockLines = std::uint64_t{1} << 32;
HWY_INLINE __m512i high64_short(__m512i w, __m512i lines) {
  const __m512i low = _mm512_srli_epi64(_mm512_mul_epu32(w, lines), 32);
  const __m512i high = _mm512_mul_epu32(_mm512_srli_epi64(w, 32), lines);
  return _mm512_srli_epi64(_mm512_add_epi64(high, low), 32);
}

template <class Job, class Key>
HWY_INLINE void prepare(Block& block, const Key* keys, const Job& job) {
  const __m512i lines = _mm512_set1_epi64(static_cast<long long>(job.lines));
  const __m512i stride = _mm512_set1_epi64(static_cast<long long>(job.stride));
  const __m512i golden = _mm512_set1_epi64(static_cast<long long>(kGolden));
  for (std::size_t i = 0; i < kBlock; i += 8) {
    const __m512i w = first_words(keys + i);
    _mm512_store_si512(block.offset + i, _mm512_mul_epu32(high64_short(w, lines), stride));
    _mm512_store_si512(block.pattern + i, _mm512_mullo_epi64(_mm512_srli_epi64(w, 6), golden));
    const __m512i subset = _mm512_and_si512(w, _mm512_set1_epi64(63));
    _mm_storel_epi64(reinterpret_cast<__m128i*>(block.subset + i), _mm512_cvtepi64_epi8(subset));
  }
}

HWY_INLINE __m512i places_of(const Block& block, std::size_t i) {
  return _mm512_cvtepu8_epi64(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(block.pattern + i)));
}

template <unsigned kWays>
HWY_INLINE void prefetch_ways(const std::byte* line) {
#pragma GCC unroll 8
  for (unsigned w = 0; w < kWays; ++w) prefetch(line + w * Blocked::kLineBytes);
}

// visit(block, i) for all keys of whole blocks, in order, while the lines of the next block are fetched; then
// finish(block, out) for its 64 answers, one block later: what was just stored byte by byte cannot be loaded as
// a vector without waiting. Returns for how many keys.
template <unsigned kWays, class Job, class Key, class Visit, class Finish>
HWY_INLINE std::size_t each_in_blocks(const Job& job, const Key* keys, std::size_t count, bool* out, Visit visit,
                                      Finish finish) {
  const std::size_t whole = job.lines <= kMaxBlockLines ? count / kBlock * kBlock : 0;
  Block blocks[3];
  if (whole == 0) return 0;
  prepare(blocks[0], keys, job);
  if (job.prefetch)
    for (std::uint64_t offset : blocks[0].offset) prefetch_ways<kWays>(job.bytes + offset);
  Block *last = &blocks[2], *block = &blocks[0], *next = &blocks[1];
  for (std::size_t done = 0; done < whole; done += kBlock) {
    const bool more = done + kBlock < whole;
    if (more) prepare(*next, keys + done + kBlock, job);
    if (more && job.prefetch) {
#pragma GCC unroll 8
      for (std::size_t i = 0; i < kBlock; ++i) {
        prefetch_ways<kWays>(job.bytes + next->offset[i]);
        visit(*block, i);
      }
    } else {
#pragma GCC unroll 8
      for (std::size_t i = 0; i < kBlock; ++i) visit(*block, i);
    }
    if (done > 0) finish(*last, out + done - kBlock);
    Block* const free = last;
    last = block;
    block = next;
    next = free;
  }
  finish(*last, out + whole - kBlock);
  return whole;
}

HWY_INLINE void store_answers(__mmask64 answers, bool* out) {
  _mm512_storeu_si512(out, _mm512_maskz_set1_epi8(answers, 1));
}

// table[index] for 64 indices below 64.
HWY_INLINE __m512i look_up_bytes(const std::uint8_t* table, __m512i index) {
  const auto part = [table](int i) {
    return _mm512_broadcast_i32x4(_mm_loadu_si128(reinterpret_cast<const __m128i*>(table + 16 * i)));
  };
  const __mmask64 odd = _mm512_test_epi8_mask(index, _mm512_set1_epi8(16));
  const __mmask64 upper = _mm512_test_epi8_mask(index, _mm512_set1_epi8(32));
  const __m512i first = _mm512_mask_shuffle_epi8(_mm512_shuffle_epi8(part(0), index), odd, part(1), index);
  const __m512i second = _mm512_mask_shuffle_epi8(_mm512_shuffle_epi8(part(2), index), odd, part(3), index);
  return _mm512_mask_mov_epi8(first, upper, second);
}

// The answers of way w go to out + w * apart.
template <unsigned kWays, class Job, class Key>
HWY_INLINE std::size_t look_up_so_many_ways(const Job& job, const Subsets* subsets, const Key* keys, std::size_t count,
                                            bool* out, std::size_t apart) {
  const __m512i one = _mm512_set1_epi64(1);
  return each_in_blocks<kWays>(
      job, keys, count, out,
      [&](Block& block, std::size_t i) {
        const __m512i bits = _mm512_rolv_epi64(one, places_of(block, i));
        const std::byte* const line = job.bytes + block.offset[i];
#pragma GCC unroll 8
        for (unsigned w = 0; w < kWays; ++w)  // the words that miss their bit
          _store_mask8(&block.words[w][i],
                       _mm512_testn_epi64_mask(bits, _mm512_loadu_si512(line + w * Blocked::kLineBytes)));
      },
      [&](const Block& block, bool* answers) {
#pragma GCC unroll 8
        for (unsigned w = 0; w < kWays; ++w) {
          const __m512i members = look_up_bytes(subsets[w].members, _mm512_load_si512(block.subset));
          const __m512i missing = _mm512_load_si512(block.words[w]);
          store_answers(_mm512_testn_epi8_mask(members, missing), answers + w * apart);
        }
      });
}

template <class Key>
HWY_INLINE std::size_t look_up_in_blocks(const LookupJob& job, const Subsets& subsets, const Key* keys,
                                         std::size_t count, bool* out) {
  return look_up_so_many_ways<1>(job, &subsets, keys, count, out, 0);
}

// How many ways there are is known at compile time where each key is looked at.
template <unsigned kWays = 1>
HWY_INLINE std::size_t look_up_ways_in_blocks(const WaysJob& job, const Subsets* subsets, const Hash* keys,
                                              std::size_t count, bool* passed, std::size_t apart) {
  if (job.ways == kWays) return look_up_so_many_ways<kWays>(job, subsets, keys, count, passed, apart);
  if constexpr (kWays < WaysJob::kMost)
    return look_up_ways_in_blocks<kWays + 1>(job, subsets, keys, count, passed, apart);
  return 0;
}

template <class Key>
HWY_INLINE std::size_t insert_in_blocks(const InsertJob& job, const Subsets& subsets, const Key* keys,
                                        std::size_t count, bool* fresh) {
  return each_in_blocks<1>(
      job, keys, count, fresh,
      [&](Block& block, std::size_t i) {
        std::byte* const line = job.bytes + block.offset[i];
        const __m512i old = _mm512_loadu_si512(line);
        const __m512i bits = _mm512_rolv_epi64(_mm512_load_si512(subsets.ones[block.subset[i]]), places_of(block, i));
        const __m512i now = _mm512_or_si512(old, bits);
        _mm512_storeu_si512(line, now);
        _store_mask8(&block.words[0][i], _mm512_cmpneq_epi64_mask(old, now));
      },
      [](const Block& block, bool* answers) {
        const __m512i changed = _mm512_load_si512(block.words[0]);
        store_answers(_mm512_test_epi8_mask(changed, changed), answers);
      });
}
