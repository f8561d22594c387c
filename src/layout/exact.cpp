#include "bloomery/layout/exact.hpp"

#include <algorithm>
#include <new>
#include <vector>

#include "layout/shape_check.hpp"

namespace bloomery {

Result<void> Exact::check(const Shape& s) { return check_shape(s, {name, 0, 0, 0, 128, 1, 0, kMaxCells}); }

double Exact::fill_ratio(const Shape& s, ConstBytes) noexcept { return s.cells == 0 ? 0 : 1; }

double Exact::current_fpr(const Shape& s, ConstBytes) noexcept { return fpr(s, s.cells); }

Result<std::uint64_t> Exact::build(Shape& s, Bytes bytes, std::span<const Hash> keys) {
  std::vector<Hash> sorted;
  try {
    sorted.assign(keys.begin(), keys.end());
  } catch (const std::bad_alloc&) {
    return Error{Errc::no_memory, "no memory to sort " + std::to_string(keys.size()) + " fingerprints"};
  }
  std::sort(sorted.begin(), sorted.end(), less);
  sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
  std::byte* out = bytes.data();
  for (const Hash h : sorted) {
    store_le(out, h.lo);
    store_le(out + 8, h.hi);
    out += kEntryBytes;
  }
  s.cells = sorted.size();
  return s.cells;
}

}  // namespace bloomery
