#include "bloomery/layout/ribbon.hpp"

#include <string>

#include "layout/shape_check.hpp"

namespace bloomery {

Result<void> Ribbon::check(const Shape& s) {
  const auto refused = [](const std::string& what, std::uint64_t got) {
    return Error{Errc::invalid_argument, what + " for kind ribbon (got " + std::to_string(got) + ")"};
  };
  if (s.cell_bits < 1 || s.cell_bits > kMaxCellBits) return refused("cell_bits must be 1..32", s.cell_bits);
  Shape rest = s;
  rest.salt = rest.param[0] = rest.param[1] = 0;  // any salt; the layers follow
  if (auto ok = check_shape(rest, {name, 0, 0, 0, s.cell_bits, 1, 0, kMaxCells}); !ok) return ok;
  if (s.cells % kBlock != 0) return refused("cells must be a multiple of 64", s.cells);
  if (s.cells == 0) {
    if (s.param[0] != 0) return refused("param[0] must be 0 without cells", s.param[0]);
    return s.param[1] == 0 ? Result<void>{} : refused("param[1] must be 0 without cells", s.param[1]);
  }
  if (s.param[0] % kBlock != 0 || s.param[0] >= s.cells)
    return refused("param[0] must be a multiple of 64 below cells", s.param[0]);
  if (s.param[1] % kBlock != 0 || s.param[1] >= s.cells - s.param[0])
    return refused("param[1] must be a multiple of 64 below cells - param[0]", s.param[1]);
  return {};
}

}  // namespace bloomery
