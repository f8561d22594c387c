// The least whole number for which something holds.
#pragma once
#include <algorithm>
#include <cstdint>

namespace bloomery::plan_model {

// The least x in [first, last] with holds(x); last if none is found before it. Gallops away from `start` by
// `step` and its doubles, so that a good guess costs few calls.
// REQUIRES: first <= start <= last; step > 0; holds is monotone.
template <class Holds>
std::uint64_t least(std::uint64_t first, std::uint64_t start, std::uint64_t last, std::uint64_t step, Holds holds) {
  std::uint64_t low = first, high = last;
  if (holds(start)) {
    high = start;
    while (high > first) {
      const std::uint64_t below = high - std::min(step, high - first);
      if (!holds(below)) { low = below + 1; break; }
      high = below;
      step *= 2;
    }
  } else {
    low = start;
    while (low < last) {
      const std::uint64_t above = low + std::min(step, last - low);
      if (holds(above)) { high = above; low += 1; break; }
      low = above;
      step *= 2;
    }
  }
  while (low < high) {
    const std::uint64_t middle = low + (high - low) / 2;
    if (holds(middle)) high = middle;
    else low = middle + 1;
  }
  return high;
}

}  // namespace bloomery::plan_model
