// The keys of a static filter as distinct 64-bit words, near words near each other.
#pragma once
#include <algorithm>
#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include "bloomery/hash.hpp"
#include "core/memory.hpp"

namespace bloomery {

// Words in buckets by their high bits: a bucket fits into a cache, and what follows walks through memory.
class DistinctWords {
 public:
  // word_of(Hash) for every key, each value once. Errors: no_memory. Cost: O(keys), 8 bytes for each.
  // Throws bad_alloc for the small tables.
  template <class WordOf>
  static Result<DistinctWords> of(std::span<const Hash> keys, WordOf word_of);

  // Each once, ascending from bucket to bucket, not inside. May be overwritten.
  std::span<std::uint64_t> words() noexcept { return {data(), count_}; }
  void sort();  // makes them ascend

 private:
  static constexpr std::uint64_t kKeysPerBucket = 4096, kMostBuckets = 4096;
  // A bucket that is so much larger than its fellows holds few words often: sort it, the table would be huge.
  static constexpr std::uint64_t kLargeBucket = 1 << 22;

  std::uint64_t* data() noexcept { return reinterpret_cast<std::uint64_t*>(memory_.data()); }

  // Moves the distinct words of [first, last) to `out`, which is not behind first; returns the end.
  static std::uint64_t* keep_distinct(std::uint64_t* first, std::uint64_t* last, std::uint64_t* out,
                                      std::vector<std::uint64_t>& table);

  Memory memory_;
  std::uint64_t count_ = 0;
  std::vector<std::uint64_t> ends_;  // of each bucket
};

template <class WordOf>
Result<DistinctWords> DistinctWords::of(std::span<const Hash> keys, WordOf word_of) {
  DistinctWords result;
  auto memory = Memory::zeroed(keys.size() * sizeof(std::uint64_t));
  if (!memory) return memory.error();
  result.memory_ = std::move(*memory);
  const std::uint64_t buckets = std::bit_ceil(std::clamp<std::uint64_t>(keys.size() / kKeysPerBucket, 2, kMostBuckets));
  const int shift = std::countl_zero(buckets) + 1;
  std::vector<std::uint64_t> ends(buckets + 1);  // first sizes, then starts, then ends
  for (const Hash key : keys) ++ends[(word_of(key) >> shift) + 1];
  for (std::uint64_t i = 1; i < buckets; ++i) ends[i + 1] += ends[i];
  std::uint64_t* const words = result.data();
  for (const Hash key : keys) {
    const std::uint64_t word = word_of(key);
    words[ends[word >> shift]++] = word;
  }
  std::vector<std::uint64_t> table;
  std::uint64_t* out = words;
  for (std::uint64_t i = 0, first = 0; i < buckets; first = ends[i++]) {
    out = keep_distinct(words + first, words + ends[i], out, table);
    result.ends_.push_back(static_cast<std::uint64_t>(out - words));
  }
  result.count_ = static_cast<std::uint64_t>(out - words);
  return result;
}

}  // namespace bloomery
