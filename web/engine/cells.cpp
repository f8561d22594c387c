// Which cells a key touches, from the layouts that define them.
#include "bloomery/layout/blocked.hpp"
#include "bloomery/layout/classic.hpp"
#include "bloomery/layout/counting.hpp"
#include "engine.hpp"

namespace page {
namespace {

using bloomery::Blocked;
using bloomery::Classic;

void add_line_bits(std::uint64_t w, std::uint64_t line, unsigned probes) {
  const unsigned subset = Blocked::subsets(probes)[w & 63];
  const std::uint64_t pattern = Blocked::pattern_of(w);
  for (unsigned j = 0; j < Blocked::kWords; ++j)
    if (((subset >> j) & 1) != 0)
      outcome().words.push_back(line * Blocked::kLineBits + 64 * j + ((pattern >> (8 * j)) & 63));
}

void add_cells(const bloomery::Shape& shape, bloomery::Hash h) {
  const auto add = [](std::uint64_t cell) {
    outcome().words.push_back(cell);
    return true;
  };
  if (shape.kind == bloomery::Kind::classic) Classic::every_probe(shape, h, add);
  if (shape.kind == bloomery::Kind::counting) bloomery::Counting::every_cell(shape, h, add);
  if (shape.kind == bloomery::Kind::blocked) {
    Blocked::every_line(shape, h, [&](std::uint64_t w) {
      add_line_bits(w, Blocked::line_of(w, shape.cells), shape.probes);
      return true;
    });
  }
}

}  // namespace

// In words(): the cells of a hash in one segment, in the order in which they are asked.
PAGE_EXPORT(cells) int cells(int filter, int index, std::uint64_t lo, std::uint64_t hi) {
  const auto segments = filter_of(filter).segments();
  outcome().words.clear();
  if (index < 0 || static_cast<std::size_t>(index) >= segments.size()) return kFailed;
  add_cells(segments[static_cast<std::size_t>(index)].shape, {lo, hi});
  return static_cast<int>(outcome().words.size());
}

}  // namespace page
