// All the keys of a static filter, kept until it can be built.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "bloomery/filter.hpp"
#include "cli/hashes.hpp"
#include "cli/progress.hpp"

namespace cli {

class KeyList {
 public:
  explicit KeyList(std::uint64_t memory_bytes) noexcept
      : memory_bytes_(memory_bytes), most_(memory_bytes / kBytesPerKey) {}

  // Repeats are dropped when room runs out. Errors: Failure (--memory), before anything is allocated beyond it.
  void add(std::span<const bloomery::Hash> keys);
  std::span<const bloomery::Hash> keys() const noexcept { return keys_; }

  // For each key at the worst moment: 16 for its hash, 24 for what builds the filter (or for the list while it moves).
  static constexpr std::uint64_t kBytesPerKey = 40;

 private:
  void drop_repeats();

  std::uint64_t memory_bytes_;
  std::uint64_t most_;
  std::vector<bloomery::Hash> keys_;
};

// Adds the keys of all lines. Errors: Failure
void read_keys(const std::vector<std::string>& inputs, HashBatch batch, Progress& progress, KeyList& list);

struct DistinctLines {
  std::uint64_t keys;  // 1 at least
  bool upper_bound;    // all lines: the distinct ones were too many to keep
};
// How many there are, for who reads them again. Errors: Failure (an input that cannot be read twice).
DistinctLines count_distinct(const std::vector<std::string>& inputs, HashBatch batch, std::uint64_t memory_bytes);

// The static filter of these keys. Errors: Failure
bloomery::Filter build_static(const bloomery::PlanRequest& want, const bloomery::Hasher& hasher, const KeyList& list);

}  // namespace cli
