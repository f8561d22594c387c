#include "bloomery/layout/fuse.hpp"

#include <bit>

#include "layout/shape_check.hpp"

namespace bloomery {

namespace {

Error refused(const std::string& what, std::uint64_t got) {
  return {Errc::invalid_argument, what + " for kind fuse (got " + std::to_string(got) + ")"};
}

}  // namespace

Result<void> Fuse::check(const Shape& s) {
  if (s.cell_bits != 8 && s.cell_bits != 16 && s.cell_bits != 32)
    return refused("cell_bits must be 8, 16 or 32", s.cell_bits);
  Shape rest = s;
  rest.salt = rest.param[0] = 0;  // any salt; the segment follows
  if (auto ok = check_shape(rest, {name, 0, kMinProbes, kMaxProbes, s.cell_bits, 1, 0, kMaxCells}); !ok) return ok;
  if (s.cells == 0) return s.param[0] == 0 ? Result<void>{} : refused("param[0] must be 0 without cells", s.param[0]);
  if (s.param[0] < kMinSegment || s.param[0] > kMaxSegment || !std::has_single_bit(s.param[0]))
    return refused("param[0] must be a power of two, 4..2^21,", s.param[0]);
  if (s.cells % s.param[0] != 0 || s.cells / s.param[0] < s.probes)
    return refused("cells must be whole segments, `probes` at least,", s.cells);
  return {};
}

}  // namespace bloomery
