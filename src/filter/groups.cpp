// Segments in memory of our own, alone or taking turns line by line.
#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include "filter/rep.hpp"
#include "kernels/kernels.hpp"
#include "layout/layouts.hpp"

namespace bloomery {
namespace {

static_assert(kMostWays <= kernels::Ways::kMost);

using Lines = Blocked::WritableLines;

constexpr std::size_t kLine = Blocked::kLineBytes;

// Lines of a group of one way less, to the places that they have in the larger one: from the last on, so that none is
// overwritten before it has moved.
void spread(std::byte* run, std::uint64_t lines, std::size_t ways) noexcept {
  for (std::uint64_t i = lines; i-- > 0;) {
    std::memmove(run + i * ways * kLine, run + i * (ways - 1) * kLine, (ways - 1) * kLine);
    std::memset(run + (i * ways + ways - 1) * kLine, 0, kLine);
  }
}

// Every line of a way, from what read(offset, out) gives.
template <class Read>
Result<void> read_way(Lines to, std::uint64_t lines, Read read) {
  std::array<std::byte, 512 * kLine> some;
  for (std::uint64_t first = 0; first < lines; first += some.size() / kLine) {
    const std::uint64_t count = std::min<std::uint64_t>(some.size() / kLine, lines - first);
    if (auto got = read(first * kLine, Bytes(some).first(count * kLine)); !got) return got;
    for (std::uint64_t i = 0; i < count; ++i) std::memcpy(to.at(first + i), some.data() + i * kLine, kLine);
  }
  return {};
}

std::uint64_t size_of(const Segment& segment) {
  return with_layout<std::uint64_t>(segment.shape.kind, [&]<class L>(L) { return L::size_bytes(segment.shape); });
}

}  // namespace

void Filter::Rep::add(const Segment& segment, Memory memory) {
  segments.reserve(segments.size() + 1);
  groups.reserve(groups.size() + 1);
  memories.reserve(memories.size() + 1);
  groups.push_back({.first = segments.size()});
  segments.push_back(segment);
  segments.back().bytes = memory.bytes();
  memories.push_back(std::move(memory));
}

bool Filter::Rep::joins_last_group(const Shape& shape) const noexcept {
  return growth && !groups.empty() && shape.kind == Kind::blocked && groups.back().ways < kMostWays &&
         segments[groups.back().first].shape.cells == shape.cells;
}

Result<void> Filter::Rep::add_way(const Segment& segment) {
  Group& group = groups.back();
  segments.reserve(segments.size() + 1);
  if (auto grown = memories.back().grow(size_of(segment) * (group.ways + 1)); !grown) return grown;
  ++group.ways;
  spread(memories.back().data(), segment.shape.cells, group.ways);
  segments[group.first].bytes = {};
  segments.push_back(segment);
  return {};
}

Result<void> Filter::Rep::fill(const FilterAccess::ReadSegment& read) {
  const std::vector<Segment> all = std::exchange(segments, {});
  segments.reserve(all.size());
  for (const Segment& segment : all) {
    if (joins_last_group(segment.shape)) {
      ++groups.back().ways;
      segments.push_back(segment);
    } else {
      groups.push_back({.first = segments.size()});
      segments.push_back(segment);
    }
    segments.back().bytes = {};
  }
  for (const Group& group : groups) {
    auto memory = Memory::zeroed(size_of(segments[group.first]) * group.ways);
    if (!memory) return memory.error();
    memories.push_back(std::move(*memory));
    if (group.ways == 1) {
      if (auto got = read(group.first, 0, memories.back().bytes()); !got) return got;
      segments[group.first].bytes = memories.back().bytes();
      continue;
    }
    for (std::size_t i = group.first; i < group.first + group.ways; ++i) {
      const auto read_segment = [&](std::uint64_t offset, Bytes out) { return read(i, offset, out); };
      if (auto got = read_way(writable_lines(i), segments[i].shape.cells, read_segment); !got) return got;
    }
  }
  return {};
}

Blocked::Lines Filter::Rep::lines(std::size_t segment) const noexcept {
  if (!segments[segment].bytes.empty()) return Blocked::Lines(segments[segment].bytes.data());
  const auto after = std::upper_bound(groups.begin(), groups.end(), segment,
                                      [](std::size_t i, const Group& group) { return i < group.first; });
  const Group& group = *(after - 1);
  const std::byte* const run = memories[static_cast<std::size_t>(&group - groups.data())].data();
  return Blocked::Lines(run + (segment - group.first) * kLine, group.ways * kLine);
}

Lines Filter::Rep::writable_lines(std::size_t segment) noexcept {
  const Blocked::Lines where = lines(segment);
  return Lines(const_cast<std::byte*>(where.first), where.stride);  // of memories, which are ours to change
}

void Filter::Rep::gather(std::size_t segment, std::uint64_t offset, Bytes out) const noexcept {
  if (out.empty()) return;  // a static filter without keys has no bytes, and no lines
  const Blocked::Lines from = lines(segment);
  for (std::size_t at = 0; at < out.size(); at += kLine)
    std::memcpy(out.data() + at, from.at((offset + at) / kLine), kLine);
}

}  // namespace bloomery
