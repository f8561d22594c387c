#include "bloomery/shrink.hpp"

#include <algorithm>
#include <bit>
#include <string>
#include <utility>

#include "bloomery/layout/blocked.hpp"
#include "bloomery/layout/classic.hpp"
#include "core/guard.hpp"
#include "filter/access.hpp"
#include "filter/rep.hpp"

namespace bloomery {
namespace {

// Index rule 1 takes the high part of a product, so that bit i of m is bit i / by of m / by; rule 0 takes a remainder.
void fold_bits(const Shape& from, ConstBytes bits, std::uint64_t by, Bytes out) noexcept {
  const std::uint64_t size = from.cells / by;
  for (std::uint64_t byte = 0; byte < bits.size(); ++byte)
    for (auto left = std::to_integer<unsigned>(bits[byte]); left != 0; left &= left - 1) {
      const std::uint64_t bit = 8 * byte + static_cast<unsigned>(std::countr_zero(left));
      const std::uint64_t to = from.rule == Classic::kArticleRule ? bit % size : bit / by;
      out[to / 8] |= std::byte{1} << (to % 8);
    }
}

// Lines too are chosen by the high part of a product, and what a key sets in its line does not depend on how many there are.
void fold_lines(ConstBytes lines, std::uint64_t by, Bytes out) noexcept {
  constexpr std::uint64_t kLineBytes = Blocked::kLineBits / 8;
  for (std::uint64_t i = 0; i < lines.size(); ++i) out[i / kLineBytes / by * kLineBytes + i % kLineBytes] |= lines[i];
}

Result<void> check_foldable(const Filter& filter, std::uint64_t by) {
  const Kind kind = filter.kind();
  if (kind != Kind::classic && kind != Kind::blocked)
    return Error{Errc::not_supported, "kind " + std::string(name(kind)) + " cannot shrink; classic and blocked can" +
                                          (kind == Kind::counting ? ": turn it into a plain filter first" : "")};
  if (filter.segments().size() != 1)
    return Error{Errc::not_supported, "a filter that grew has several segments and cannot shrink"};
  const std::uint64_t cells = filter.segments()[0].shape.cells;
  if (by < 2 || cells % by != 0) {
    std::string divisors;
    for (std::uint64_t d = 2, found = 0; d <= std::min<std::uint64_t>(cells, 1000) && found < 4; ++d)
      if (cells % d == 0) divisors += (found++ == 0 ? "" : ", ") + std::to_string(d);
    return Error{Errc::invalid_argument,
                 "by must divide the " + std::to_string(cells) + (kind == Kind::blocked ? " lines" : " bits") +
                     " of the filter, from 2 on" + (divisors.empty() ? ": nothing up to 1000 does" : ": " + divisors)};
  }
  return {};
}

Result<Filter> shrink_unguarded(const Filter& filter, std::uint64_t by) {
  if (auto foldable = check_foldable(filter, by); !foldable) return foldable.error();
  const Filter::Rep& large = FilterAccess::rep(filter);
  const Segment& from = large.segments[0];
  auto small = std::make_unique<Filter::Rep>();
  small->hasher = large.hasher;
  small->stored_key = large.stored_key;
  small->key_missing = large.key_missing;
  small->counts = large.counts;
  Segment to = from;
  to.shape.cells /= by;
  if (to.planned_keys != 0) to.planned_fpr = expected_fpr(to.shape, to.planned_keys);
  const bool lines = from.shape.kind == Kind::blocked;
  auto memory = Memory::zeroed(lines ? Blocked::size_bytes(to.shape) : Classic::size_bytes(to.shape));
  if (!memory) return memory.error();
  if (lines) fold_lines(from.bytes, by, memory->bytes());
  else fold_bits(from.shape, from.bytes, by, memory->bytes());
  small->add(to, std::move(*memory));
  return FilterAccess::make(std::move(small));
}

}  // namespace

Result<Filter> shrink(const Filter& filter, std::uint64_t by) {
  return guarded([&]() -> Result<Filter> { return shrink_unguarded(filter, by); });
}

}  // namespace bloomery
