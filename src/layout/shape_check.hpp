// What check() asks of the fields of a Shape, said the same way for every kind.
#pragma once
#include <cstdint>
#include <string>

#include "bloomery/layout.hpp"

namespace bloomery {

struct ShapeRule {
  std::string_view kind;
  unsigned max_rule;
  unsigned min_probes, max_probes;
  unsigned cell_bits;
  unsigned max_lines_per_key;
  std::uint64_t min_cells, max_cells;
};

// Errors: invalid_argument, naming the field, its range and what it was.
Result<void> check_shape(const Shape& s, const ShapeRule& rule);

}  // namespace bloomery
