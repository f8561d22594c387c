#include "bloomery/layout/blocked.hpp"

#include <cmath>

#include "layout/line_patterns.hpp"
#include "layout/shape_check.hpp"

namespace bloomery {

Result<void> Blocked::check(const Shape& s) {
  return check_shape(s, {name, 0, 1, kMaxProbes, 1, kMaxLinesPerKey, 1, kMaxCells});
}

double Blocked::fill_ratio(const Shape& s, Lines lines) noexcept {
  std::uint64_t count = 0;
  for (std::uint64_t line = 0; line < s.cells; ++line)
    for (const std::uint64_t ones : ones_of_words(lines.at(line))) count += ones;
  return static_cast<double>(count) / static_cast<double>(size_bits(s));
}

// The lines of a stranger are drawn independently, so its chance is the mean over lines to the power r.
double Blocked::current_fpr(const Shape& s, Lines lines) noexcept {
  double held = 0;
  for (std::uint64_t line = 0; line < s.cells; ++line)
    held += static_cast<double>(patterns_held(ones_of_words(lines.at(line)), subsets(s.probes)));
  const double patterns = std::ldexp(64.0, 6 * s.probes);
  return std::pow(held / patterns / static_cast<double>(s.cells), s.lines_per_key);
}

}  // namespace bloomery
