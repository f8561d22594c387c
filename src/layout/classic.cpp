#include "bloomery/layout/classic.hpp"

#include <bit>

#include "layout/shape_check.hpp"

namespace bloomery {

namespace {

// Ones among the cells; the padding after the last cell does not count. Cost: O(size).
std::uint64_t ones(const Shape& s, ConstBytes bytes) noexcept {
  const std::uint64_t whole_words = s.cells / 64;
  std::uint64_t count = 0;
  for (std::uint64_t i = 0; i < whole_words; ++i)
    count += static_cast<unsigned>(std::popcount(load_le<std::uint64_t>(bytes.data() + 8 * i)));
  for (std::uint64_t bit = 64 * whole_words; bit < s.cells; ++bit)
    count += (std::to_integer<unsigned>(bytes[bit / 8]) >> (bit % 8)) & 1;
  return count;
}

}  // namespace

Result<void> Classic::check(const Shape& s) { return check_shape(s, {name, kMixedRule, 1, kMaxProbes, 1, 1, 1, kMaxCells}); }

double Classic::fill_ratio(const Shape& s, ConstBytes bytes) noexcept {
  return static_cast<double>(ones(s, bytes)) / static_cast<double>(s.cells);
}

double Classic::current_fpr(const Shape& s, ConstBytes bytes) noexcept {
  return std::pow(fill_ratio(s, bytes), s.probes);
}

}  // namespace bloomery
