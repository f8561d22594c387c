// What `plan` works out: the same wish solved for every layout.
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "bloomery/plan.hpp"

namespace cli {

inline constexpr std::uint64_t kMostItems = std::uint64_t{1} << 40;
inline constexpr std::uint64_t kMostPlannedBytes = std::uint64_t{1} << 47;  // 2^50 bits
inline constexpr std::array<double, 4> kLoads = {0.5, 1, 2, 10};            // of the planned number of keys

struct Givens {
  std::optional<std::uint64_t> items, memory_bytes, hashes;
  std::optional<double> fpr, bits_per_key;
  bool default_fpr = false;  // nobody chose it

  // Only k and a rate or a size per key are known: answered per key, for any number of keys.
  bool per_key() const noexcept { return !items && !memory_bytes; }
};

// Completes what follows from the rest. Errors: Failure (too few, contradictory), naming the arguments.
void settle(Givens& givens);

struct AtHashes {
  unsigned hashes = 0;
  std::optional<double> fpr = {};  // none: this layout cannot have so many
};

// One solution.
struct Column {
  std::string name;
  std::string problem = {};  // not empty: why there is no solution; nothing below is set then
  bloomery::PlanRequest recipe = {};  // gives this very shape
  bloomery::Plan plan = {};
  double lines_if_new = 0;   // cache lines read for a key that was never put in, on average
  double lines_if_held = 0;  // for a key that is in
  std::array<double, kLoads.size()> load_curve = {};
  std::vector<AtHashes> around = {};  // k-1, k, k+1 at this size; empty for exact

  bool solved() const noexcept { return problem.empty(); }
};

// Every layout in turn, and the textbook's plan where there is one. REQUIRES: settled, not per_key().
// Errors: Failure, if no Bloom layout has a solution.
std::vector<Column> solve(const Givens& givens);

// One wish. What cannot be is said in the column.
Column solve_one(std::string name, const bloomery::PlanRequest& want);

// Bits per key when the number of hashes is fixed.
struct FixedHashes {
  unsigned hashes;
  double fpr;
  double bits_per_key;
  double bits_per_key_approx;
};

// For k-1, k and k+1: at the given rate, or at the rate that the given bits per key have with that k.
std::vector<FixedHashes> fixed_hashes(unsigned hashes, std::optional<double> fpr, double bits_per_key);

// The memory of the alternatives, by what is assumed here.
struct HashSets {
  std::uint64_t fingerprints_bytes;  // 16-byte fingerprints in a table that is three quarters full
  std::uint64_t strings_bytes;       // std::unordered_set<std::string>, strings of 15 bytes at most
};
HashSets hash_sets(std::uint64_t keys) noexcept;

// The lines that make a filter of this very shape.
std::string cpp_line(const Column& column);
std::string cli_line(const Column& column);

}  // namespace cli
