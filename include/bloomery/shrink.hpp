// A smaller filter of the same keys.
#pragma once
#include <cstdint>

#include "bloomery/export.h"
#include "bloomery/filter.hpp"
#include "bloomery/result.hpp"

namespace bloomery {

// A read-write filter of 1 / by of the size, bit for bit the one that a plan of that size would have made of the same
// keys. Its rate is higher: planned_fpr() and expected_fpr() state it. counts() stay.
// Errors: invalid_argument (by does not divide the bits of a classic filter, the lines of a blocked one), not_supported
// (other kinds, several segments), no_memory. Cost: O(size).
BLOOMERY_API Result<Filter> shrink(const Filter& filter, std::uint64_t by = 2);

// A read-write copy of a growing filter, its only segment folded by the largest power of two that leaves room for its
// keys at the rate that the segment was planned for. It keeps its promise and goes on growing. One that is young, or
// has several segments, or is nearly full, is copied as it is. Errors: not_supported (it does not grow), no_memory.
// Cost: O(size).
BLOOMERY_API Result<Filter> shrink_to_fit(const Filter& filter);

}  // namespace bloomery
