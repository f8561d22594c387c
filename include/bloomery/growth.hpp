// Filters for which nobody knows how many keys will come.
//
//   auto f = bloomery::Filter::create(bloomery::Growth{.fpr = 0.001}, bloomery::Hasher::xxh3());
//
// A young one is exact: it keeps the hashes of its keys. Then it becomes a Bloom filter, built of these hashes, in as
// much memory as they took, and adds a stricter segment each time the last one is full: one as large as the last, up
// to kMostWays in a group, as long as memory allows; else a larger one, with which a new group begins. A lookup of a
// miss touches neighbouring cache lines for a group, and not one here and one there for each segment.
// docs/fpr.md has the rates, the memory and what a lookup costs at every size.
#pragma once
#include <cstdint>
#include <span>

#include "bloomery/export.h"
#include "bloomery/layout.hpp"
#include "bloomery/plan.hpp"
#include "bloomery/result.hpp"

namespace bloomery {

// Kept in files, so that a filter goes on growing when it is opened again.
struct Growth {
  double fpr = 0.01;                        // promised for all segments together, up to 2^40 keys
  std::uint64_t remember_keys = 1'000'000;  // so many are kept exactly, at 16 bytes each (up to 32 while in memory):
                             // this is the one knob for how large the first segment is, first_bytes(remember_keys).
                             // While it is filled from the hashes, both are held.
  double most_memory = 2.6;  // a new segment may bring the memory to so many times that of a filter planned for the
                             // keys there are then, or to first_bytes(remember_keys) if that is more; 2..64. A segment
                             // for less than a quarter of these keys is not worth it, and takes more: at 2.6, that
                             // begins at 10^9 keys for 1% (3.6 times at most, up to 2^40 keys), and at none for 1e-4.
  bool operator==(const Growth&) const = default;
};

// The memory of a first segment, and what others may fill up to, whatever most_memory says: 40 bytes for each key that
// was remembered, 64 MiB at most.
constexpr std::uint64_t first_bytes(std::uint64_t remember_keys) noexcept {
  constexpr std::uint64_t kForEach = 40, kMost = std::uint64_t{64} << 20;
  return remember_keys < kMost / kForEach ? kForEach * remember_keys : kMost;
}

// Segments of equally many lines that follow each other form groups of up to so many. In memory their lines take
// turns; in a file each segment is by itself.
inline constexpr std::size_t kMostWays = 6;

// Errors: invalid_argument, naming the field and its range.
BLOOMERY_API Result<void> check(const Growth& growth);

// The segment after those of these shapes (blocked), which are full with `keys` keys. Segment i, from 0, is planned at
// the rate fpr / ((i + 1)(i + 2)): these sum to fpr, however many there are.
// Errors: invalid_argument. Cost: milliseconds.
BLOOMERY_API Result<Plan> plan_segment(const Growth& growth, std::span<const Shape> before, std::uint64_t keys);

}  // namespace bloomery
