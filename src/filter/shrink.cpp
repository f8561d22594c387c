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

// REQUIRES: it is foldable.
Result<std::unique_ptr<Filter::Rep>> fold(const Filter& filter, std::uint64_t by) {
  const Filter::Rep& large = FilterAccess::rep(filter);
  const Segment& from = large.segments[0];
  auto small = std::make_unique<Filter::Rep>();
  small->hasher = large.hasher;
  small->stored_key = large.stored_key;
  small->key_missing = large.key_missing;
  small->counts = large.counts;
  Segment to = from;
  to.shape.cells /= by;
  const bool lines = from.shape.kind == Kind::blocked;
  auto memory = Memory::zeroed(lines ? Blocked::size_bytes(to.shape) : Classic::size_bytes(to.shape));
  if (!memory) return memory.error();
  if (lines) fold_lines(from.bytes, by, memory->bytes());
  else fold_bits(from.shape, from.bytes, by, memory->bytes());
  small->add(to, std::move(*memory));
  return small;
}

// By how much a segment can be folded and have room for its keys.
std::uint64_t spare_folds(const Segment& s) noexcept {
  std::uint64_t by = 1;
  while (s.shape.cells % (2 * by) == 0 && s.planned_keys / (2 * by) >= std::max<std::uint64_t>(s.keys_inserted, 1)) by *= 2;
  return by;
}

}  // namespace

Result<Filter> shrink(const Filter& filter, std::uint64_t by) {
  return guarded([&]() -> Result<Filter> {
    if (auto foldable = check_foldable(filter, by); !foldable) return foldable.error();
    auto small = fold(filter, by);
    if (!small) return small.error();
    Segment& segment = (*small)->segments[0];
    if (segment.planned_keys != 0) segment.planned_fpr = expected_fpr(segment.shape, segment.planned_keys);
    return FilterAccess::make(std::move(*small));
  });
}

Result<Filter> shrink_to_fit(const Filter& filter) {
  if (!filter.growth()) return Error{Errc::not_supported, "only filters that grow are fitted to their keys: shrink() it"};
  const bool one = filter.kind() == Kind::blocked && filter.segments().size() == 1;
  const std::uint64_t by = one ? spare_folds(filter.segments()[0]) : 1;
  if (by == 1) return filter.clone();
  return guarded([&]() -> Result<Filter> {
    auto small = fold(filter, by);
    if (!small) return small.error();
    (*small)->segments[0].planned_keys /= by;  // at the rate that was planned
    (*small)->growth = filter.growth();
    return FilterAccess::make(std::move(*small));
  });
}

}  // namespace bloomery
