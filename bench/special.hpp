// Measurements beside the grid of sizes: each answers one question of the goals table.
#pragma once
#include "measure.hpp"

namespace bench {

// Names under which goals.cpp finds them.
inline constexpr const char* kThreads = "hashes by two threads";
inline constexpr const char* kLines = "hashes at two rates";
inline constexpr const char* kInline = "hashes inline";

// Lookups by one thread and by two at once, with the best kernel, by the clock on the wall.
void measure_threads(std::uint64_t keys, const Effort& effort, Results& results);

// Misses in a filter for p = 1e-6 (two lines per key) against misses in one of the same bytes at 1% (one line).
void measure_lines_per_key(std::uint64_t keys, const Effort& effort, Results& results);

// Lookups by the header's inline code, one key at a time, compiled for this processor and for any x86-64, against a
// batch: in a filter that fits the L2.
void measure_inline(const Effort& effort, Results& results);

// The rate of the default layout over `probes` strangers, at these bits per key.
void measure_fpr(double bits_per_key, std::uint64_t probes, Results& results);

}  // namespace bench
