// The false-positive rates that plans promise, by numbers alone. docs/fpr.md derives them.
#pragma once
#include <cstdint>

namespace bloomery::plan_model {

// Filters with fewer bits use the exact occupancy distribution.
inline constexpr std::uint64_t kExactBelowBits = 4096;

// The textbook's (1 - e^(-kn/m))^k with the exact mean of the fill and a second-order term for its
// spread: within 0.2% of the exact rate from 4096 bits on. Cost: O(1).
double corrected_fpr(double keys, double bits, double probes) noexcept;

// classic: exact below kExactBelowBits, corrected above.
double classic_fpr(std::uint64_t keys, std::uint64_t bits, unsigned probes) noexcept;

// blocked: `lines` lines of 512 bits, each key setting `probes` bits in each of `lines_per_key` of them.
// `keys` need not be whole. Cost: O(sqrt(load)) after the first call for each number of probes.
double blocked_fpr(double keys, double lines, unsigned probes, unsigned lines_per_key) noexcept;

// A lower bound for it, quickly: as if the lines of a key were never the same, and hashes endless.
double apart_blocked_fpr(double keys, double lines, unsigned probes, unsigned lines_per_key) noexcept;

// The same in a filter of very many lines, each chosen `load` times on average, without the floor that the
// width of the hash sets.
double large_blocked_fpr(double load, unsigned probes, unsigned lines_per_key) noexcept;

// counting by lines: one line for each key, `word_cells` counters in each of its eight words.
double counting_line_fpr(double keys, double lines, unsigned probes, unsigned word_cells) noexcept;

}  // namespace bloomery::plan_model
