// What the plans of static kinds have in common: a fingerprint of whole bits, and one equation for each key.
#pragma once
#include <cstdint>
#include <span>

#include "bloomery/plan.hpp"

namespace bloomery::plan_model {

// A static kind, as far as its plans go.
struct StaticKind {
  Kind kind;
  std::span<const unsigned> widths;  // of fingerprints in bits, ascending
  const char* width_range;           // the same for messages
  unsigned probes;                   // of the shape, already chosen
  Shape (*sized)(const Shape& s, std::uint64_t keys) noexcept;
  std::uint64_t (*size_bits)(const Shape& s) noexcept;
};

// With the fewest bits that keep fpr, or the most that fit into the size, or as many as cell_bits says.
// REQUIRES: check_request(want). Errors: invalid_argument.
Result<Shape> plan_static(const PlanRequest& want, const StaticKind& kind);

// 2^-bits, and the chance that a stranger has the word of a key (keys / 2^64) where it is more than a thousandth of it.
double static_fpr(unsigned bits, std::uint64_t keys) noexcept;

}  // namespace bloomery::plan_model
