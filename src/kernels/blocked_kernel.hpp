// One implementation of the blocked layout's batches for one instruction set.
#pragma once
#include <array>
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
  std::uint64_t stride = Blocked::kLineBytes;  // bytes from one line to the next
};
using LookupJob = BlockedJob<const std::byte>;
using InsertJob = BlockedJob<std::byte>;

// Several segments of as many lines, which take turns: line i of way w is at bytes + i * stride + w * kLineBytes.
struct WaysJob {
  static constexpr unsigned kMost = 8;
  const std::byte* bytes;
  std::uint64_t lines;
  std::uint64_t stride;
  bool prefetch;
  unsigned ways;
  std::array<std::uint8_t, kMost> probes, lines_per_key;  // of each way
  LookupJob way(unsigned w) const noexcept {
    return {bytes + w * Blocked::kLineBytes, lines, probes[w], lines_per_key[w], prefetch, stride};
  }
};

// Both operations write one answer per key and return how many are true; an insert's answer is
// "a bit changed", and its array may be null. A key given as a word is Hash::from_u64(word). Of several ways the
// answer is whether any may contain the key.
struct BlockedKernel {
  std::string_view name;
  std::uint64_t (*may_contain)(const LookupJob&, const Hash* keys, std::size_t count, bool* out) noexcept;
  std::uint64_t (*may_contain_words)(const LookupJob&, const std::uint64_t* keys, std::size_t count,
                                     bool* out) noexcept;
  std::uint64_t (*any_way_may_contain)(const WaysJob&, const Hash* keys, std::size_t count, bool* out) noexcept;
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
  return job.bytes + Blocked::line_of(w, job.lines) * job.stride;
}

// Into L2, for reading, also before an insert: L1 is too small for what is under way, and asking
// for ownership early was slower.
inline void prefetch(const std::byte* p) noexcept {
  __builtin_prefetch(p, 0, 1);
  asm volatile("" : : "r"(p));  // or GCC takes this for a function without effects, and drops the call
}

}  // namespace bloomery::kernels
