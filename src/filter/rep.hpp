// What a Filter is made of.
#pragma once
#include <memory>
#include <optional>
#include <vector>

#include "bloomery/filter.hpp"
#include "bloomery/layout/blocked.hpp"
#include "core/memory.hpp"
#include "filter/access.hpp"
#include "filter/exact_table.hpp"

namespace bloomery {

// Segments that lie in one run of bytes, and that are asked together. Most are alone. In memory of their own, the
// segments of a growing filter that follow each other and have equally many lines are ways of one group: line i of
// way w is line i * ways + w of the run, so that a key finds its lines of all ways side by side.
struct Group {
  std::size_t first = 0;  // of its segments
  std::size_t ways = 1;
};

struct Filter::Rep {
  Hasher hasher;
  SecretKey stored_key = {};
  bool key_missing = false;
  Counts counts;
  std::uint32_t optional_features = 0;
  std::optional<Growth> growth;        // how it grows, if it does
  std::vector<Segment> segments;       // never empty; those of a group of several have no `bytes`
  std::vector<Group> groups;           // of all segments, in order; none with a table
  std::vector<Memory> memories;        // of each group; empty when the bytes are somebody else's
  std::optional<ExactTable> table;     // an exact filter that can be changed
  std::shared_ptr<const void> owner;   // of borrowed bytes

  static constexpr std::size_t kInsertBlock = 512;  // the most keys for insert_into_last

  bool read_only() const noexcept { return memories.empty() && !table; }
  // One that keys can be inserted into.
  bool one_writable_segment() const noexcept { return memories.size() == 1 && segments.size() == 1 && !growth && !is_static(segments[0].shape.kind); }
  bool hashable() const noexcept { return !key_missing && hasher.id != HashId::precomputed; }
  Bytes writable(std::size_t group) noexcept { return memories[group].bytes(); }

  // bulk.cpp
  template <class Key>
  BLOOMERY_LOCAL std::uint64_t insert_bulk(std::span<const Key> keys, const BuildOptions& options) noexcept;

  // concurrent.cpp
  BLOOMERY_LOCAL std::uint64_t insert_shared_keys(std::span<const Hash> keys, bool* fresh) noexcept;
  BLOOMERY_LOCAL Result<void> check_concurrent() const;

  // operations.cpp
  BLOOMERY_LOCAL Result<void> check_hashable() const;
  BLOOMERY_LOCAL void count(std::uint64_t offered, std::uint64_t inserted) noexcept;
  BLOOMERY_LOCAL Result<std::uint64_t> insert_exact(std::span<const Hash> keys, bool* fresh);
  BLOOMERY_LOCAL std::uint64_t insert_into_last(std::span<const Hash> keys, bool* fresh) noexcept;

  // combine.cpp
  BLOOMERY_LOCAL Result<void> check_changeable(const Filter& other) const;  // by merge or intersect, whatever the shapes
  BLOOMERY_LOCAL Result<void> check_alike(const Filter& other) const;       // hash, and shape of every segment
  BLOOMERY_LOCAL Result<void> check_comparable(const Filter& other) const;  // the same, and one segment
  BLOOMERY_LOCAL void count_from_bits(std::uint64_t offered) noexcept;

  // growing.cpp
  BLOOMERY_LOCAL Result<std::uint64_t> insert_growing(std::span<const Hash> keys, bool* fresh);
  BLOOMERY_LOCAL Result<std::uint64_t> make_room();
  BLOOMERY_LOCAL Result<void> add_segment();
  BLOOMERY_LOCAL Result<void> add_segment_unguarded();
  BLOOMERY_LOCAL Result<void> forget_hashes();
  BLOOMERY_LOCAL Result<void> start_over();

  // filter.cpp
  BLOOMERY_LOCAL Result<void> append(const Plan& plan);  // unchecked but for the shape
  // The gate of from_parts, for segments with bytes (`borrowed`) or without.
  BLOOMERY_LOCAL static Result<std::unique_ptr<Rep>> of_parts(Parts parts, bool borrowed);

  // groups.cpp
  // A further segment, in a group of its own. May throw; then nothing has changed.
  BLOOMERY_LOCAL void add(const Segment& segment, Memory memory);
  // Would a segment of this shape be another way of the last group?
  BLOOMERY_LOCAL bool joins_last_group(const Shape& shape) const noexcept;
  BLOOMERY_LOCAL Result<void> add_way(const Segment& segment);  // an empty one. REQUIRES: it joins
  // Memory of our own for all segments, filled with what `read` gives. REQUIRES: neither groups nor memories yet.
  BLOOMERY_LOCAL Result<void> fill(const FilterAccess::ReadSegment& read);
  // Where the lines of a blocked segment lie.
  BLOOMERY_LOCAL Blocked::Lines lines(std::size_t segment) const noexcept;
  BLOOMERY_LOCAL Blocked::WritableLines writable_lines(std::size_t segment) noexcept;
  // The bytes of a segment in the order of a file, from `offset` on. REQUIRES: whole lines, of a group of several.
  BLOOMERY_LOCAL void gather(std::size_t segment, std::uint64_t offset, Bytes out) const noexcept;

  // static.cpp: filters that are built from all their keys and never change.
  BLOOMERY_LOCAL static bool is_static(Kind kind) noexcept;
  BLOOMERY_LOCAL static Error static_error(Kind kind);  // no_memory aside: why it cannot change

  // counting.cpp
  BLOOMERY_LOCAL Result<void> check_erasable() const;
};

// filter.cpp: what to ask the planner for.
PlanRequest request_of(const Spec& spec);
// growing.cpp: is what a decoder says of growth possible? REQUIRES: segments that passed their own checks.
Result<void> check_growth(const Parts& parts);

}  // namespace bloomery
