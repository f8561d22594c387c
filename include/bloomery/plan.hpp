// Planning: from what you know (how many keys, which false-positive rate, how much memory) to the
// shape of a filter. docs/fpr.md derives every formula here.
#pragma once
#include <array>
#include <cstdint>
#include <optional>

#include "bloomery/export.h"
#include "bloomery/layout.hpp"
#include "bloomery/result.hpp"

namespace bloomery {

// Any sufficient set of givens; what is absent is solved for. Sufficient: keys and one of fpr, bits,
// bits_per_key; or bits and fpr (keys is solved: how many fit); or bits and hashes (nothing is
// promised). With `hashes` given the size is the one that this many hashes need.
struct PlanRequest {
  Kind kind = Kind::blocked;
  std::optional<std::uint64_t> keys = {};      // 1 .. 2^40; windowed: the window, which must be given
  std::optional<double> fpr = {};              // above 0 (1e-18 at least), below 1
  std::optional<std::uint64_t> bits = {};      // size of the filter, 1 .. 2^50; blocked: rounded up to whole lines
  std::optional<double> bits_per_key = {};     // instead of bits
  std::optional<unsigned> hashes = {};         // classic 1..255; blocked, windowed 1..8, in each line; counting 1..64;
                                               // fuse 3 (if nothing is said) or 4 cells for each key
  std::optional<unsigned> lines_per_key = {};  // blocked, windowed 1..8; counting: 1 keeps a key's counters in one line
  std::optional<unsigned> cell_bits = {};      // counting 2, 4 (if nothing is said), 8, 16; fuse 8, 16, 32;
                                               // ribbon 1..32
  bool article = false;  // classic: m = ceil(-n ln p / ln^2 2), k = round(m/n ln 2), index rule 0 (murmur3)
};

struct Plan {
  Shape shape;
  std::uint64_t keys = 0;   // planned for; 0 if nothing was said
  double fpr = 0;           // *achieved* at `keys`, by the exact model; 0 if keys is 0
  double asked_fpr = 0;     // 0 if no rate was asked for
  std::uint64_t size_bytes = 0;
  double bits_per_key = 0;  // size in bits / keys
  double fpr_floor = 0;     // what the width of the hash alone costs at `keys`
};

// Native plans keep achieved <= asked whenever keys and fpr are given without bits.
// Errors: invalid_argument, naming the field and its range, or the contradiction.
// Cost: microseconds; up to milliseconds for filters under 4096 bits.
BLOOMERY_API Result<Plan> plan(const PlanRequest& want);

// The false-positive rate of a filter of this shape once `keys` distinct keys are in, over keys
// that never were: an expectation over hash functions. REQUIRES: a shape that passed check().
BLOOMERY_API double expected_fpr(const Shape& shape, std::uint64_t keys) noexcept;

// How many distinct keys were probably inserted, from the number of ones: -(m/k) ln(1 - fill).
// No value when every bit is set: then only "at least m/k * ln m" could be said.
// Source: Swamidass and Baldi, "Mathematical correction for fingerprint similarity", 2007.
BLOOMERY_API std::optional<double> estimated_keys(const Shape& shape, double fill_ratio) noexcept;

// The textbook's formulas, for people and for comparison. n keys, m bits, k hashes, rate p.
namespace formula {
BLOOMERY_API double optimal_bits(double n, double p) noexcept;            // m = -n ln p / ln^2 2
BLOOMERY_API double optimal_hashes(double m, double n) noexcept;          // k = m/n ln 2
BLOOMERY_API double textbook_fpr(double n, double m, double k) noexcept;  // (1 - e^(-kn/m))^k; wrong for small m
BLOOMERY_API double best_fpr(double bits_per_key) noexcept;               // 0.6185^(m/n)
BLOOMERY_API double bits_per_key_fixed(double p, double k) noexcept;      // -k / ln(1 - p^(1/k)), exact
BLOOMERY_API double bits_per_key_fixed_approx(double p, double k) noexcept;  // 2k / (2c + c^2), c = p^(1/k): for show
// E[(X/m)^k], X = distinct bits set by n*k independent throws into m: exact. Cost: O(nk sqrt m).
BLOOMERY_API double occupancy_fpr(std::uint64_t n, std::uint64_t m, unsigned k) noexcept;
}  // namespace formula

// Predefined false-positive levels, 2^-3 to 2^-20.
inline constexpr std::array<double, 6> kFprLevels = {1.0 / (1 << 3),  1.0 / (1 << 6),  1.0 / (1 << 10),
                                                     1.0 / (1 << 13), 1.0 / (1 << 16), 1.0 / (1 << 20)};

}  // namespace bloomery
