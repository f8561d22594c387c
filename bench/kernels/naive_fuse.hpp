// The building of a binary fuse filter as it is usually written, with no care for caches: keys in the order in which
// they come, a queue of all lone cells, a stack of what was peeled. What the library's builder is measured against.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "bloomery/layout/fuse.hpp"

namespace naive {

using bloomery::Fuse;
using bloomery::Hash;
using bloomery::Shape;

// Returns whether the keys, which must be distinct, could be peeled. REQUIRES: a shape of 8-bit fingerprints.
inline bool build_fuse8(const Shape& s, std::span<std::byte> bytes, std::span<const Hash> keys) {
  std::vector<std::uint64_t> sums(s.cells), queue, stack_words, stack_cells;
  std::vector<std::uint32_t> counts(s.cells);
  const auto each_cell = [&](std::uint64_t word, auto visit) {
    const Fuse::Cells cells = Fuse::cells_of(s, word);
    for (unsigned i = 0; i < s.probes; ++i) visit(cells[i]);
  };
  for (const Hash key : keys) {
    const std::uint64_t word = Fuse::word_of(s, key);
    each_cell(word, [&](std::uint64_t cell) { sums[cell] ^= word, ++counts[cell]; });
  }
  for (std::uint64_t cell = 0; cell < s.cells; ++cell)
    if (counts[cell] == 1) queue.push_back(cell);
  while (!queue.empty()) {
    const std::uint64_t cell = queue.back();
    queue.pop_back();
    if (counts[cell] != 1) continue;
    const std::uint64_t word = sums[cell];
    stack_words.push_back(word), stack_cells.push_back(cell);
    each_cell(word, [&](std::uint64_t other) {
      sums[other] ^= word;
      if (--counts[other] == 1) queue.push_back(other);
    });
  }
  if (stack_words.size() != keys.size()) return false;
  for (std::size_t i = stack_words.size(); i-- > 0;) {
    auto value = static_cast<std::byte>(stack_words[i]);
    each_cell(stack_words[i], [&](std::uint64_t cell) { value ^= bytes[cell]; });
    bytes[stack_cells[i]] = value;  // was zero
  }
  return true;
}

}  // namespace naive
