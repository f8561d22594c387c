#include "cli/key_list.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "cli/common.hpp"
#include "cli/input.hpp"

namespace cli {

using bloomery::Hash;

void KeyList::add(std::span<const Hash> keys) {
  if (keys_.size() + keys.size() > most_) {
    drop_repeats();
    if (keys_.size() + keys.size() > most_ - most_ / 8)  // or a few repeats at a time would be sorted for ever
      throw Failure{fmt::format("--memory: {} has room for {} distinct keys of a static filter ({} bytes each while it is "
                                "built), and more came; raise it",
                                human_bytes(memory_bytes_), grouped(most_ - most_ / 8), kBytesPerKey)};
  }
  // By half at a time: the old list and the new one together stay within what building takes.
  if (keys_.size() + keys.size() > keys_.capacity())
    keys_.reserve(std::min<std::uint64_t>(most_, std::max(keys_.size() + keys.size(), keys_.size() * 3 / 2)));
  keys_.insert(keys_.end(), keys.begin(), keys.end());
}

void KeyList::drop_repeats() {
  const auto less = [](const Hash& a, const Hash& b) { return std::pair(a.lo, a.hi) < std::pair(b.lo, b.hi); };
  std::sort(keys_.begin(), keys_.end(), less);
  keys_.erase(std::unique(keys_.begin(), keys_.end()), keys_.end());
}

void read_keys(const std::vector<std::string>& inputs, HashBatch batch, Progress& progress, KeyList& list) {
  LineReader reader(inputs);
  for (auto lines = reader.next(); !lines.empty(); lines = reader.next()) {
    list.add(batch.of(lines));
    progress.add(lines.size(), reader.share_read());
  }
}

DistinctLines count_distinct(const std::vector<std::string>& inputs, HashBatch batch, std::uint64_t memory_bytes) {
  LineReader reader(inputs);
  if (!reader.rereadable())
    throw Failure{"--expected: is needed: a counting filter takes every line, and the input cannot be read twice to count "
                  "the distinct ones first"};
  auto seen = take(bloomery::Filter::create({.kind = bloomery::Kind::exact, .hasher = batch.hasher()}));
  for (auto lines = reader.next(); !lines.empty(); lines = reader.next()) {
    take(seen.insert(batch.of(lines)));
    if (seen.memory_bytes() > memory_bytes) return {count_lines(reader.paths()), true};
  }
  return {std::max<std::uint64_t>(1, seen.counts().inserted), false};
}

bloomery::Filter build_static(const bloomery::PlanRequest& want, const bloomery::Hasher& hasher, const KeyList& list) {
  bloomery::PlanRequest known = want;
  known.keys = std::max<std::uint64_t>(1, list.keys().size());
  return take(bloomery::Filter::build(take(bloomery::plan(known)), hasher, list.keys()));
}

}  // namespace cli
