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

// What is known of 64 keys before their lines are looked at.
struct Block {
  alignas(64) std::uint64_t offset[kBlock];   // of the line, in bytes
  alignas(64) std::uint64_t pattern[kBlock];
  alignas(64) std::uint64_t subset[kBlock];
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

template <class Key>
HWY_INLINE void prepare(Block& block, const Key* keys, std::uint64_t line_count) {
  const __m512i lines = _mm512_set1_epi64(static_cast<long long>(line_count));
  const __m512i golden = _mm512_set1_epi64(static_cast<long long>(kGolden));
  for (std::size_t i = 0; i < kBlock; i += 8) {
    const __m512i w = first_words(keys + i);
    _mm512_store_si512(block.offset + i, _mm512_slli_epi64(high64_short(w, lines), 6));
    _mm512_store_si512(block.pattern + i, _mm512_mullo_epi64(_mm512_srli_epi64(w, 6), golden));
    _mm512_store_si512(block.subset + i, _mm512_and_si512(w, _mm512_set1_epi64(63)));
  }
}

// answer(block, i) for all keys of whole blocks, in order, while the lines of the next block are fetched.
// Returns for how many keys.
template <class Byte, class Key, class Answer>
HWY_INLINE std::size_t each_in_blocks(const BlockedJob<Byte>& job, const Key* keys, std::size_t count, bool* out,
                                      Answer answer) {
  const std::size_t whole = job.lines <= kMaxBlockLines ? count / kBlock * kBlock : 0;
  Block blocks[2];
  if (whole == 0) return 0;
  prepare(blocks[0], keys, job.lines);
  if (job.prefetch)
    for (std::uint64_t offset : blocks[0].offset) prefetch(job.bytes + offset);
  for (std::size_t done = 0; done < whole; done += kBlock) {
    const Block& block = blocks[done / kBlock % 2];
    Block& next = blocks[(done / kBlock + 1) % 2];
    const bool more = done + kBlock < whole;
    if (more) prepare(next, keys + done + kBlock, job.lines);
    if (more && job.prefetch) {
#pragma GCC unroll 8
      for (std::size_t i = 0; i < kBlock; ++i) {
        prefetch(job.bytes + next.offset[i]);
        out[done + i] = answer(block, i);
      }
    } else {
#pragma GCC unroll 8
      for (std::size_t i = 0; i < kBlock; ++i) out[done + i] = answer(block, i);
    }
  }
  return whole;
}

HWY_INLINE __m512i places_of(const Block& block, std::size_t i) {
  return _mm512_cvtepu8_epi64(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(block.pattern + i)));
}

template <class Key>
HWY_INLINE std::size_t look_up_in_blocks(const LookupJob& job, const Subsets& subsets, const Key* keys,
                                         std::size_t count, bool* out) {
  return each_in_blocks(job, keys, count, out, [&](const Block& block, std::size_t i) {
    return test_bits(job.bytes + block.offset[i], subsets.members[block.subset[i]], places_of(block, i));
  });
}

template <class Key>
HWY_INLINE std::size_t insert_in_blocks(const InsertJob& job, const Subsets& subsets, const Key* keys,
                                        std::size_t count, bool* fresh) {
  return each_in_blocks(job, keys, count, fresh, [&](const Block& block, std::size_t i) {
    return set_bits(job.bytes + block.offset[i], subsets.ones[block.subset[i]], places_of(block, i));
  });
}
