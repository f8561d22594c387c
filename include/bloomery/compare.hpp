// How much two filters have in common, estimated from their bits. docs/fpr.md derives it.
#pragma once
#include "bloomery/export.h"
#include "bloomery/filter.hpp"
#include "bloomery/result.hpp"

namespace bloomery {

// A number that is not known, and between which bounds it lies with the confidence that was asked for.
struct Estimate {
  double value = 0;
  double low = 0;
  double high = 0;
};

struct Comparison {
  Estimate keys_a, keys_b;  // distinct keys in each
  Estimate keys_in_either;  // size of the union
  Estimate keys_in_both;    // size of the intersection
  Estimate jaccard;         // both / either; 0 if both are empty
};

// The intervals are those of the normal distribution, half a key wider to each side since keys are whole, and end at what
// is possible. They are about the chance of hashing: the share of runs (with other hash seeds) in which they hold the truth.
// Two large filters that share few keys have a wide one for keys_in_both: its deviation grows with the union, not with
// what is shared. Kind exact: exact, without width.
// REQUIRES: both filters hold what was inserted and nothing else (an intersection holds more bits than its keys set).
// Errors: invalid_argument (confidence not between 0 and 1), incompatible (naming the field that differs), not_supported
// (static, several segments), full (every bit of one is set: it could hold any number of keys), no_memory (exact).
// Cost: O(size). Source: Swamidass and Baldi 2007 for the estimates; the variances are our own.
BLOOMERY_API Result<Comparison> compare(const Filter& a, const Filter& b, double confidence = 0.95);

}  // namespace bloomery
