// Filters that grow: exact while they are young, then blocked, with one segment after the other.
#include <algorithm>
#include <array>
#include <utility>

#include "core/guard.hpp"
#include "filter/rep.hpp"
#include "kernels/kernels.hpp"
#include "layout/layouts.hpp"

namespace bloomery {

Result<Filter> Filter::create(const Growth& growth, const Hasher& hasher) {
  return guarded([&]() -> Result<Filter> {
    if (auto checked = check(growth); !checked) return checked.error();
    Plan first{.shape = {.kind = Kind::exact, .cell_bits = 128}};
    if (growth.remember_keys == 0) {
      auto planned = plan_segment(growth, {}, 0);
      if (!planned) return planned.error();
      first = *planned;
    }
    auto filter = create_unguarded(first, hasher);
    if (filter) filter->rep_->growth = growth;
    return filter;
  });
}

std::optional<Growth> Filter::growth() const noexcept { return rep_->growth; }

Result<std::uint64_t> Filter::Rep::insert_growing(std::span<const Hash> keys, bool* fresh) {
  std::uint64_t count = 0;
  for (std::size_t at = 0; at < keys.size();) {
    const auto room = make_room();
    if (!room) return room.error();
    const auto some = keys.subspan(at, std::min<std::uint64_t>({*room, kInsertBlock, keys.size() - at}));
    bool* const out = fresh == nullptr ? nullptr : fresh + at;
    if (table) {
      const auto added = insert_exact(some, out);
      if (!added) return added.error();
      count += *added;
    } else {
      const std::uint64_t added = insert_into_last(some, out);
      this->count(some.size(), added);
      count += added;
    }
    at += some.size();
  }
  return count;
}

// How many keys may go in before it must grow: at least one.
Result<std::uint64_t> Filter::Rep::make_room() {
  const std::uint64_t present = table ? table->size() : segments.back().keys_inserted;
  const std::uint64_t most = table ? growth->remember_keys : segments.back().planned_keys;
  if (present < most) return most - present;
  if (auto grown = table ? forget_hashes() : add_segment(); !grown) return grown.error();
  return segments.back().planned_keys > segments.back().keys_inserted
             ? segments.back().planned_keys - segments.back().keys_inserted
             : std::uint64_t{1};
}

Result<void> Filter::Rep::add_segment() {
  return guarded([&] { return add_segment_unguarded(); });
}

Result<void> Filter::Rep::add_segment_unguarded() {
  std::vector<Shape> before;
  std::uint64_t keys = 0;
  for (const Segment& s : segments) {
    before.push_back(s.shape);
    keys += s.keys_inserted;
  }
  const auto next = plan_segment(*growth, before, keys);
  if (!next) return next.error();
  return append(*next);
}

// The remembered hashes become the first segment.
Result<void> Filter::Rep::forget_hashes() {
  const Segment young = segments[0];
  const std::uint64_t keys = table->size();
  const auto first = plan_segment(*growth, {}, keys);
  if (!first) return first.error();
  segments.clear();
  if (auto added = append(*first); !added) {
    segments.push_back(young);
    return added;
  }
  std::array<Hash, kInsertBlock> run;
  std::size_t used = 0;
  const auto flush = [&] {
    kernels::insert(segments[0].shape, writable(0), std::span<const Hash>(run.data(), std::exchange(used, 0)), nullptr);
  };
  table->for_each([&](Hash h) {
    run[used++] = h;
    if (used == run.size()) flush();
  });
  flush();
  segments[0].keys_inserted = keys;
  table.reset();
  return {};
}

// Empty, and as young as can be.
Result<void> Filter::Rep::start_over() {
  if (growth->remember_keys > 0) {
    auto empty = ExactTable::create(0);
    if (!empty) return empty.error();
    table = std::move(*empty);
    segments.resize(1);
    segments[0] = {.shape = {.kind = Kind::exact, .cell_bits = 128}, .bytes = {}};
    groups.clear();
    memories.clear();
  } else {
    Segment first = segments[0];
    auto memory = Memory::zeroed(Blocked::size_bytes(first.shape));
    if (!memory) return memory.error();
    first.keys_inserted = 0;
    segments.clear();
    groups.clear();
    memories.clear();
    add(first, std::move(*memory));  // there is room
  }
  counts = {};
  return {};
}

// Keys and shapes apart, what a file says of growth must be what a growing filter can come to.
Result<void> check_growth(const Parts& parts) {
  if (!parts.growth) return {};
  if (auto checked = check(*parts.growth); !checked) return checked;
  const Kind kind = parts.segments[0].shape.kind;
  if (kind == Kind::exact || kind == Kind::blocked) return {};
  return Error{Errc::corrupt, "a growing filter is of kind exact or blocked, not " + std::string(name(kind))};
}

}  // namespace bloomery
