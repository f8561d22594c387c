// One implementation of the blocked layout's batches for one instruction set.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "bloomery/layout/blocked.hpp"

namespace bloomery::kernels {

// A blocked segment as a kernel sees it. REQUIRES: a checked shape's numbers.
template <class Byte>
struct BlockedJob {
  Byte* bytes;
  std::uint64_t lines;
  unsigned probes;
  unsigned lines_per_key;
  bool prefetch;  // are the lines likely to be far away?
};
using LookupJob = BlockedJob<const std::byte>;
using InsertJob = BlockedJob<std::byte>;

// Both operations write one answer per key and return how many are true; an insert's answer is
// "a bit changed", and its array may be null. A key given as a word is Hash::from_u64(word).
struct BlockedKernel {
  std::string_view name;
  std::uint64_t (*may_contain)(const LookupJob&, const Hash* keys, std::size_t count, bool* out) noexcept;
  std::uint64_t (*may_contain_words)(const LookupJob&, const std::uint64_t* keys, std::size_t count,
                                     bool* out) noexcept;
  std::uint64_t (*insert)(const InsertJob&, const Hash* keys, std::size_t count, bool* fresh) noexcept;
  std::uint64_t (*insert_words)(const InsertJob&, const std::uint64_t* keys, std::size_t count,
                                bool* fresh) noexcept;
};

// The normative layout, key by key.
const BlockedKernel& scalar_kernel() noexcept;
// The kernels for vector instructions that this processor has, the fastest first.
std::span<const BlockedKernel* const> vector_kernels() noexcept;

// Prefetching this many keys ahead into L2 was the fastest of 16 .. 64 for segments of 25 MB and more.
inline constexpr std::size_t kPrefetchDistance = 48;

constexpr std::uint64_t first_word(Hash key) noexcept { return key.lo; }
constexpr std::uint64_t first_word(std::uint64_t key) noexcept { return key; }
constexpr std::uint64_t second_word(Hash key) noexcept { return key.hi; }
constexpr std::uint64_t second_word(std::uint64_t key) noexcept { return Hash::from_u64(key).hi; }

template <class Byte>
Byte* line_at(const BlockedJob<Byte>& job, std::uint64_t w) noexcept {
  return job.bytes + Blocked::line_of(w, job.lines) * Blocked::kLineBytes;
}

// Into L2, for reading, also before an insert: L1 is too small for what is under way, and asking
// for ownership early was slower.
inline void prefetch(const std::byte* p) noexcept {
  __builtin_prefetch(p, 0, 1);
  asm volatile("" : : "r"(p));  // or GCC takes this for a function without effects, and drops the call
}

}  // namespace bloomery::kernels
