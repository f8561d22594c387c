// Filling filters from what a decoder reads.
#include "filter/access.hpp"

#include <algorithm>

#include "filter/rep.hpp"
#include "layout/layouts.hpp"

namespace bloomery {
namespace {

// The fingerprints of segment 0, block by block.
Result<void> read_table(ExactTable& table, std::uint64_t count, const FilterAccess::ReadSegment& read) {
  constexpr std::uint64_t kBlock = 4096;
  std::vector<std::byte> block(std::min(kBlock, count) * Exact::kEntryBytes);
  for (std::uint64_t first = 0; first < count; first += kBlock) {
    const std::uint64_t size = std::min(kBlock, count - first);
    const Bytes out = Bytes(block).first(size * Exact::kEntryBytes);
    if (auto got = read(0, first * Exact::kEntryBytes, out); !got) return got;
    for (std::uint64_t i = 0; i < size; ++i)
      if (auto inserted = table.insert(Exact::at(out, i)); !inserted) return inserted.error();
  }
  return {};
}

}  // namespace

Filter FilterAccess::make(std::unique_ptr<Filter::Rep> rep) noexcept { return Filter(std::move(rep)); }

Result<Filter> FilterAccess::load(Parts parts, const ReadSegment& read) {
  const bool exact = !parts.segments.empty() && parts.segments[0].shape.kind == Kind::exact;
  const std::uint64_t fingerprints = exact ? parts.segments[0].shape.cells : 0;
  for (Segment& segment : parts.segments) segment.bytes = {};
  parts.owner = nullptr;
  auto made = Filter::Rep::of_parts(std::move(parts), false);
  if (!made) return made.error();
  Filter::Rep& rep = **made;
  if (!exact) {
    if (auto filled = rep.fill(read); !filled) return filled.error();
    return Filter(std::move(*made));
  }
  auto table = ExactTable::create(fingerprints);
  if (!table) return table.error();
  if (auto got = read_table(*table, fingerprints, read); !got) return got.error();
  rep.segments[0].shape.cells = table->size();
  rep.table = std::move(*table);
  return Filter(std::move(*made));
}

Result<void> Filter::put(std::size_t segment, std::uint64_t offset, ConstBytes bytes) {
  if (rep_->memories.empty() || rep_->growth)
    return Error{Errc::not_supported, "bytes can be put only into a filter with a memory of its own, that does not grow by itself"};
  const std::uint64_t size = segment < rep_->memories.size() ? rep_->memories[segment].size() : 0;
  if (offset > size || bytes.size() > size - offset)
    return Error{Errc::invalid_argument, "offset must be within the segment, with all bytes"};
  std::copy(bytes.begin(), bytes.end(), rep_->memories[segment].data() + offset);
  return {};
}

bool Filter::move_block(std::size_t segment, void* (*move)(void* context, void* block), void* context) noexcept {
  if (segment >= rep_->memories.size() || rep_->growth) return false;
  rep_->memories[segment].move_block(move, context);
  rep_->segments[segment].bytes = rep_->memories[segment].bytes();
  return true;
}

}  // namespace bloomery
