// For hash/aes_kernels.cpp: all four lanes in one vector of 64 bytes. Inside its namespace, so without includes.
// A masked load reads no byte beyond the key, and fills up with zeros.

HWY_INLINE __m128i vector_of(AesBlock b) noexcept {
  return _mm_set_epi64x(static_cast<long long>(b.hi), static_cast<long long>(b.lo));
}

HWY_INLINE __m512i absorb_stripe(__m512i lanes, __m512i stripe) noexcept {
  const __m512i middle = _mm512_broadcast_i32x4(vector_of(kAesMiddle));
  return _mm512_aesenc_epi128(_mm512_aesenc_epi128(_mm512_xor_si512(lanes, stripe), middle), stripe);
}

// The first `size` bytes of a stripe, all of it if there are more.
HWY_INLINE __m512i load_stripe(const char* p, std::size_t size) noexcept {
  return _mm512_maskz_loadu_epi8(_bzhi_u64(~0ULL, static_cast<unsigned>(HWY_MIN(size, std::size_t{64}))), p);
}

HWY_INLINE Hash finish_lanes(__m512i lanes, std::uint64_t length, std::uint64_t seed) noexcept {
  lanes = _mm512_aesenc_epi128(lanes, _mm512_broadcast_i32x4(vector_of({length, seed})));
  const __m256i halves = _mm256_aesenc_epi128(_mm512_castsi512_si256(lanes), _mm512_extracti64x4_epi64(lanes, 1));
  __m128i end = _mm_aesenc_si128(_mm256_castsi256_si128(halves), _mm256_extracti128_si256(halves, 1));
  end = _mm_aesenc_si128(_mm_aesenc_si128(end, vector_of(kAesEnd[0])), vector_of(kAesEnd[1]));
  return {static_cast<std::uint64_t>(_mm_cvtsi128_si64(end)), static_cast<std::uint64_t>(_mm_extract_epi64(end, 1))};
}

HWY_INLINE Hash hash_one(std::string_view key, std::uint64_t seed) noexcept {
  const char* p = key.data();
  std::size_t left = key.size();
  const __m512i start = _mm512_loadu_si512(kAesStart.data());
  __m512i lanes = _mm512_xor_si512(start, _mm512_set1_epi64(static_cast<long long>(seed)));
  for (; HWY_UNLIKELY(left > 128); left -= 64, p += 64) lanes = absorb_stripe(lanes, _mm512_loadu_si512(p));
  lanes = absorb_stripe(lanes, load_stripe(p, left));
  // Up to 128 bytes there is no branch on the length: a second stripe that is not there counts for nothing.
  const std::size_t more = left > 64 ? left - 64 : 0;
  const __m512i both = absorb_stripe(lanes, load_stripe(more > 0 ? p + 64 : p, more));
  lanes = _mm512_mask_mov_epi64(lanes, static_cast<__mmask8>(more > 0 ? 0xff : 0), both);
  return finish_lanes(lanes, key.size(), seed);
}
