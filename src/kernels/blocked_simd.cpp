// The blocked layout's batches for vector instructions: this file is compiled once per instruction set.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/blocked_simd.cpp"
// A line is 64 bytes: vectors whose length is known only at run time do not pay.
#define HWY_DISABLED_TARGETS (HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV)
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <algorithm>
#include <bit>

#include "kernels/blocked_kernel.hpp"
#include "kernels/blocked_tables.hpp"

#if HWY_TARGET != HWY_SCALAR && HWY_TARGET != HWY_EMU128
HWY_BEFORE_NAMESPACE();
namespace bloomery::kernels {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
#if HWY_TARGET == HWY_AVX3
#include "kernels/blocked_avx512-inl.hpp"
#else
#include "kernels/blocked_line-inl.hpp"
#endif

HWY_INLINE std::uint64_t count_true(const bool* answers, std::size_t count) {
  const hn::CappedTag<std::uint8_t, 64> bytes;
  const hn::Repartition<std::uint64_t, decltype(bytes)> words;
  const auto* p = reinterpret_cast<const std::uint8_t*>(answers);
  auto sums = hn::Zero(words);
  std::size_t i = 0;
  for (; i + hn::MaxLanes(bytes) <= count; i += hn::MaxLanes(bytes))
    sums = hn::Add(sums, hn::SumsOf8(hn::LoadU(bytes, p + i)));
  std::uint64_t trues = hn::GetLane(hn::SumOfLanes(words, sums));
  for (; i < count; ++i) trues += p[i];
  return trues;
}

// visit(i) for each key in order, while the lines of keys further on are fetched by ask(i).
template <class Ask, class Visit>
HWY_INLINE void pipeline(std::size_t count, std::size_t distance, bool prefetching, Ask ask, Visit visit) {
  std::size_t i = 0;
  if (prefetching) {
    const std::size_t ahead = HWY_MIN(count, distance);
    for (std::size_t j = 0; j < ahead; ++j) ask(j);
#pragma GCC unroll 8
    for (; i + ahead < count; ++i) {
      ask(i + ahead);
      visit(i);
    }
  }
#pragma GCC unroll 8
  for (; i < count; ++i) visit(i);
}

// Answers for one line per key: that of the key's first word.
template <class Key>
HWY_INLINE void look_up_line(LookupJob job, const Key* keys, std::size_t count, bool* out) {
  const Subsets subsets = Subsets::of(job.probes);
  const std::size_t done = look_up_in_blocks(job, subsets, keys, count, out);
  keys += done;
  out += done;
  pipeline(
      count - done, kPrefetchDistance, job.prefetch,
      [&](std::size_t i) { prefetch(line_at(job, first_word(keys[i]))); },
      [&](std::size_t i) {
        const std::uint64_t w = first_word(keys[i]);
        out[i] = test_line(subsets, line_at(job, w), w);
      });
}

constexpr std::size_t kGroup = 4096;  // keys that go through the lines after the first together

// The places of the true answers, in order, plus `base`; most are false. An answer is a byte that is 0 or 1.
HWY_INLINE std::size_t places_of_true(const bool* answers, std::size_t count, std::uint16_t* places,
                                      std::size_t base = 0) {
  constexpr std::size_t kEight = 8;
  std::size_t found = 0, i = 0;
  for (; i + kEight <= count; i += kEight) {
    std::uint64_t left = load_le<std::uint64_t>(reinterpret_cast<const std::byte*>(answers + i));
    for (; left != 0; left &= left - 1)
      places[found++] = static_cast<std::uint16_t>(base + i + static_cast<unsigned>(std::countr_zero(left)) / kEight);
  }
  for (; i < count; ++i)
    if (answers[i]) places[found++] = static_cast<std::uint16_t>(base + i);
  return found;
}

// Of the keys of a group that passed in their first lines, all others fetch nothing, the second lines are looked at;
// of those that pass, the third; and so on. Returns how many passed in all.
template <class Key>
std::uint64_t look_up_further_lines(const LookupJob& job, const Key* keys, std::size_t count, bool* out) {
  std::uint64_t before[kGroup], word[kGroup];  // w_{t-1} and w_t of the keys that are left
  std::uint16_t index[kGroup];
  bool passed[kGroup];
  std::size_t left = places_of_true(out, count, index);
  for (std::size_t i = 0; i < left; ++i) {
    before[i] = first_word(keys[index[i]]);
    word[i] = second_word(keys[index[i]]);
  }
  for (unsigned t = 1; t < job.lines_per_key && left > 0; ++t) {
    look_up_line(job, word, left, passed);
    std::size_t still_left = 0;
    for (std::size_t i = 0; i < left; ++i) {
      const std::uint64_t next = Blocked::next_word(before[i], t + 1);
      out[index[i]] = passed[i];
      before[still_left] = word[i];
      word[still_left] = next;
      index[still_left] = index[i];
      still_left += passed[i];
    }
    left = still_left;
  }
  return left;
}

template <class Key>
std::uint64_t look_up(const LookupJob& job, const Key* keys, std::size_t count, bool* out) noexcept {
  if (job.lines_per_key == 1) {
    look_up_line(job, keys, count, out);
    return count_true(out, count);
  }
  std::uint64_t trues = 0;
  for (std::size_t i = 0; i < count; i += kGroup) {
    const std::size_t some = HWY_MIN(kGroup, count - i);
    look_up_line(job, keys + i, some, out + i);
    trues += look_up_further_lines(job, keys + i, some, out + i);
  }
  return trues;
}

#include "kernels/blocked_ways-inl.hpp"

// visit(line, w) for each line of a key. A single line is known at compile time: it needs no second word.
template <bool kOneLine, class Key, class Visit>
HWY_INLINE void each_line(const InsertJob& job, const Key& key, Visit visit) {
  std::uint64_t w = first_word(key);
  visit(line_at(job, w), w);
  if constexpr (!kOneLine) {
    std::uint64_t next = second_word(key);
    for (unsigned t = 1; t < job.lines_per_key; ++t) {
      visit(line_at(job, next), next);
      const std::uint64_t after_next = Blocked::next_word(w, t + 1);
      w = next;
      next = after_next;
    }
  }
}

template <bool kOneLine, class Key>
HWY_INLINE void insert_all(InsertJob job, const Key* keys, std::size_t count, bool* fresh) {
  const Subsets subsets = Subsets::of(job.probes);
  const std::size_t done = kOneLine ? insert_in_blocks(job, subsets, keys, count, fresh) : 0;
  keys += done;
  fresh += done;
  pipeline(
      count - done, kPrefetchDistance / job.lines_per_key, job.prefetch,
      [&](std::size_t i) {
        each_line<kOneLine>(job, keys[i], [](const std::byte* line, std::uint64_t) { prefetch(line); });
      },
      [&](std::size_t i) {
        bool changed = false;
        each_line<kOneLine>(job, keys[i],
                            [&](std::byte* line, std::uint64_t w) { changed |= set_line(subsets, line, w); });
        fresh[i] = changed;
      });
}

template <class Key>
std::uint64_t insert(const InsertJob& job, const Key* keys, std::size_t count, bool* fresh) noexcept {
  if (fresh == nullptr) {
    constexpr std::size_t kRun = 4096;
    bool unasked[kRun];
    std::uint64_t trues = 0;
    for (std::size_t i = 0; i < count; i += kRun) trues += insert(job, keys + i, HWY_MIN(kRun, count - i), unasked);
    return trues;
  }
  if (job.lines_per_key == 1)
    insert_all<true>(job, keys, count, fresh);
  else
    insert_all<false>(job, keys, count, fresh);
  return count_true(fresh, count);
}

constexpr BlockedKernel make_kernel(std::string_view name) {
  return {name, look_up<Hash>, look_up<std::uint64_t>, any_way_may_contain, insert<Hash>, insert<std::uint64_t>};
}

}  // namespace HWY_NAMESPACE
}  // namespace bloomery::kernels
HWY_AFTER_NAMESPACE();
#endif

#if HWY_ONCE
namespace bloomery::kernels {
namespace {

struct Candidate {
  std::int64_t target;
  BlockedKernel kernel;
};

constexpr Candidate kCandidates[] = {
#if HWY_TARGETS & HWY_AVX3
    {HWY_AVX3, N_AVX3::make_kernel("avx512")},
#endif
#if HWY_TARGETS & HWY_AVX2
    {HWY_AVX2, N_AVX2::make_kernel("avx2")},
#endif
#if HWY_TARGETS & HWY_SSE4
    {HWY_SSE4, N_SSE4::make_kernel("sse4")},
#endif
#if HWY_TARGETS & HWY_SSSE3
    {HWY_SSSE3, N_SSSE3::make_kernel("ssse3")},
#endif
#if HWY_TARGETS & HWY_NEON
    {HWY_NEON, N_NEON::make_kernel("neon")},
#endif
#if HWY_TARGETS & HWY_WASM
    {HWY_WASM, N_WASM::make_kernel("wasm")},
#endif
    {0, {}},  // a processor for which there is none still has an array
};

struct Available {
  const BlockedKernel* kernels[std::size(kCandidates)];
  std::size_t count = 0;

  Available() noexcept {
    for (const Candidate& c : kCandidates)
      if ((c.target & hwy::SupportedTargets()) != 0) kernels[count++] = &c.kernel;
  }
};

}  // namespace

std::span<const BlockedKernel* const> vector_kernels() noexcept {
  static const Available available;
  return {available.kernels, available.count};
}

}  // namespace bloomery::kernels
#endif
