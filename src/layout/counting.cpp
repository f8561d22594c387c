#include "bloomery/layout/counting.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <string>

#include "layout/line_patterns.hpp"
#include "layout/shape_check.hpp"

namespace bloomery {

namespace {

// One bit, the lowest, of each counter in a word.
constexpr std::uint64_t low_bits(unsigned cell_bits) noexcept { return ~std::uint64_t{0} / ((1u << cell_bits) - 1); }

unsigned counters_above_zero(std::uint64_t word, unsigned cell_bits) noexcept {
  for (unsigned half = cell_bits / 2; half > 0; half /= 2) word |= word >> half;  // each lowest bit: any of its counter's
  return static_cast<unsigned>(std::popcount(word & low_bits(cell_bits)));
}

// Calls change(mine, theirs) for each pair of counters and keeps what it returns in the first.
template <class Change>
void combine(const Shape& s, Bytes into, ConstBytes from, Change change) noexcept {
  for (std::uint64_t cell = 0; cell < s.cells; ++cell)
    Counting::put(s, into, cell, change(Counting::value_at(s, into, cell), Counting::value_at(s, from, cell)));
}

}  // namespace

Result<void> Counting::check(const Shape& s) {
  if (s.cell_bits < 2 || s.cell_bits > 16 || !std::has_single_bit(s.cell_bits)) {
    return Error{Errc::invalid_argument,
                 "cell_bits must be 2, 4, 8 or 16 for kind counting (got " + std::to_string(s.cell_bits) + ")"};
  }
  if (s.rule == 0) return Error{Errc::invalid_argument, "rule must be 1 or 2 for kind counting (got 0)"};
  const unsigned max_probes = s.rule == kLineRule ? Blocked::kMaxProbes : kMaxProbes;
  if (auto ok = check_shape(s, {name, kLineRule, 1, max_probes, s.cell_bits, 1, 1, kMaxCells}); !ok) return ok;
  if (s.rule == kLineRule && size_bits(s) % Blocked::kLineBits != 0)
    return Error{Errc::invalid_argument, "cells must fill whole lines of 512 bits in kind counting, rule 2 (got " +
                                             std::to_string(s.cells) + ")"};
  return {};
}

double Counting::fill_ratio(const Shape& s, ConstBytes bytes) noexcept {
  const std::uint64_t word_cells = 64u / s.cell_bits, whole_words = s.cells / word_cells;
  std::uint64_t count = 0;
  for (std::uint64_t i = 0; i < whole_words; ++i)
    count += counters_above_zero(load_le<std::uint64_t>(bytes.data() + 8 * i), s.cell_bits);
  for (std::uint64_t cell = whole_words * word_cells; cell < s.cells; ++cell) count += value_at(s, bytes, cell) != 0;
  return static_cast<double>(count) / static_cast<double>(s.cells);
}

double Counting::current_fpr(const Shape& s, ConstBytes bytes) noexcept {
  if (s.rule == kSpreadRule) return std::pow(fill_ratio(s, bytes), s.probes);
  double held = 0;
  for (std::uint64_t line = 0; line < lines(s); ++line) {
    Ones ones;
    for (unsigned j = 0; j < Blocked::kWords; ++j) {
      const std::byte* word = bytes.data() + line * Blocked::kLineBytes + 8 * j;
      ones[j] = counters_above_zero(load_le<std::uint64_t>(word), s.cell_bits);
    }
    held += static_cast<double>(patterns_held(ones, Blocked::subsets(s.probes)));
  }
  return held / static_cast<double>(lines(s)) / (64 * std::pow(64.0 / s.cell_bits, s.probes));
}

void Counting::merge(const Shape& s, Bytes into, ConstBytes from) noexcept {
  combine(s, into, from, [&](unsigned a, unsigned b) { return std::min(a + b, maximum(s)); });
}

void Counting::intersect(const Shape& s, Bytes into, ConstBytes from) noexcept {
  combine(s, into, from, [](unsigned a, unsigned b) { return std::min(a, b); });
}

}  // namespace bloomery
