#include "bloomery/layout/blocked.hpp"

#include <bit>
#include <cmath>

#include "layout/shape_check.hpp"

namespace bloomery {

namespace {

using Ones = std::array<std::uint64_t, Blocked::kWords>;

Ones ones_of_words(const std::byte* line) noexcept {
  Ones ones;
  for (unsigned j = 0; j < Blocked::kWords; ++j)
    ones[j] = static_cast<unsigned>(std::popcount(load_le<std::uint64_t>(line + 8 * j)));
  return ones;
}

// The products of ones[first .. first+3] over each of the 16 subsets of these four words.
std::array<std::uint64_t, 16> products(const Ones& ones, unsigned first) noexcept {
  std::array<std::uint64_t, 16> result;
  result[0] = 1;
  for (unsigned set = 1; set < 16; ++set)
    result[set] = result[set & (set - 1)] * ones[first + static_cast<unsigned>(std::countr_zero(set))];
  return result;
}

// How many of the 64 * 64^k patterns the line holds: at most 2^54, so the sum is exact.
std::uint64_t patterns_held(const Ones& ones, const Blocked::Subsets& subsets) noexcept {
  const auto low = products(ones, 0), high = products(ones, 4);
  std::uint64_t held = 0;
  for (const unsigned subset : subsets) held += low[subset & 15] * high[subset >> 4];
  return held;
}

}  // namespace

Result<void> Blocked::check(const Shape& s) {
  return check_shape(s, {name, 0, 1, kMaxProbes, 1, kMaxLinesPerKey, 1, kMaxCells});
}

double Blocked::fill_ratio(const Shape& s, ConstBytes bytes) noexcept {
  std::uint64_t count = 0;
  for (std::uint64_t line = 0; line < s.cells; ++line)
    for (const std::uint64_t ones : ones_of_words(bytes.data() + line * kLineBytes)) count += ones;
  return static_cast<double>(count) / static_cast<double>(size_bits(s));
}

// The lines of a stranger are drawn independently, so its chance is the mean over lines to the power r.
double Blocked::current_fpr(const Shape& s, ConstBytes bytes) noexcept {
  double held = 0;
  for (std::uint64_t line = 0; line < s.cells; ++line)
    held += static_cast<double>(patterns_held(ones_of_words(bytes.data() + line * kLineBytes), subsets(s.probes)));
  const double patterns = std::ldexp(64.0, 6 * s.probes);
  return std::pow(held / patterns / static_cast<double>(s.cells), s.lines_per_key);
}

}  // namespace bloomery
