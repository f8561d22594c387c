// Filters for which nobody knows how many keys will come.
//
//   auto f = bloomery::Filter::create(bloomery::Growth{.fpr = 0.001}, bloomery::Hasher::xxh3());
//
// A young one is exact: it keeps the hashes of its keys. Then it becomes a Bloom filter, built of these hashes, and
// adds a larger and stricter segment each time the last one is full. docs/fpr.md has the rates, the memory and what
// a lookup costs at every size.
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
  std::uint64_t remember_keys = 1'000'000;  // so many are kept exactly, at 16 bytes each (up to 32 while in memory)
  double most_memory = 3.6;  // a new segment may bring the memory to so many times that of a filter planned for the
                             // keys there are then; 3.4..64. It holds for rates from 1e-9 to 1%; beyond them segments
                             // are kept from becoming too small to be worth it, and may take more.
  bool operator==(const Growth&) const = default;
};

// Segments of equally many lines that follow each other are asked together, up to so many.
inline constexpr std::size_t kMostWays = 6;

// Errors: invalid_argument, naming the field and its range.
BLOOMERY_API Result<void> check(const Growth& growth);

// The segment after those of these shapes (blocked), which are full with `keys` keys. Segment i, from 0, is planned at
// the rate fpr / ((i + 1)(i + 2)): these sum to fpr, however many there are.
// Errors: invalid_argument. Cost: milliseconds.
BLOOMERY_API Result<Plan> plan_segment(const Growth& growth, std::span<const Shape> before, std::uint64_t keys);

}  // namespace bloomery
