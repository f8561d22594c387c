#include "layout/shape_check.hpp"

namespace bloomery {

Result<void> check_shape(const Shape& s, const ShapeRule& rule) {
  struct Field {
    const char* name;
    std::uint64_t value, least, most;
  };
  const Field fields[] = {
      {"rule", s.rule, 0, rule.max_rule},
      {"probes", s.probes, rule.min_probes, rule.max_probes},
      {"cell_bits", s.cell_bits, rule.cell_bits, rule.cell_bits},
      {"lines_per_key", s.lines_per_key, 1, rule.max_lines_per_key},
      {"cells", s.cells, rule.min_cells, rule.max_cells},
      {"salt", s.salt, 0, 0},
      {"param[0]", s.param[0], 0, 0},
      {"param[1]", s.param[1], 0, 0},
  };
  for (const Field& field : fields) {
    if (field.value >= field.least && field.value <= field.most) continue;
    std::string range = std::to_string(field.least);
    if (field.most != field.least) range += ".." + std::to_string(field.most);
    return Error{Errc::invalid_argument, std::string(field.name) + " must be " + range + " for kind " +
                                             std::string(rule.kind) + " (got " + std::to_string(field.value) + ")"};
  }
  return {};
}

}  // namespace bloomery
