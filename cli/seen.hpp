// The set of lines seen so far, within a budget of memory: exact fingerprints while they fit into half of
// it, then a Bloom filter in two segments. A line that was seen is always known; a new one is taken for
// seen with a chance that is counted. Or a window: the lines of the last while, in constant memory.
#pragma once
#include <cstdint>
#include <optional>
#include <span>

#include "bloomery/filter.hpp"
#include "cli/line_set.hpp"
#include "cli/window.hpp"
#include "cli/wrong_drops.hpp"

namespace cli {

struct SeenPlan {
  bloomery::Hasher hasher = {};
  std::uint64_t memory_bytes = 0;                // for the set, and never more
  std::optional<std::uint64_t> expected = {};    // distinct lines
  std::optional<double> fpr = {};                // the promise: the rate when the last line has passed
  std::optional<SeenWindow> window = {};
};

class SeenSet final : public LineSet {
 public:
  static constexpr double kUnpromisedFpr = 1e-5;  // what a filter is planned for when nobody promised anything
  static constexpr std::uint64_t kLeastMemory = std::uint64_t{64} << 10;

  // With expected and fpr a filter planned for them; with expected alone a filter if exact fingerprints of
  // so many would not fit. Errors: Failure, e.g. if the promise needs more memory than memory_bytes.
  static SeenSet create(const SeenPlan& plan);
  // Goes on with a set from an earlier run. REQUIRES: a writable filter. Errors: Failure, if memory_bytes
  // cannot hold it.
  static SeenSet resume(bloomery::Filter keys, const SeenPlan& plan);

  // Room is made for a whole step, and segments end where they are full.
  std::size_t step() const noexcept override;

  // share_read forecasts how many distinct keys a filter must hold.
  std::uint64_t insert(std::span<const bloomery::Hash> keys, std::span<bool> fresh, double share_read = 0) override;

  const bloomery::Hasher& hasher() const noexcept override { return keys_.hasher(); }
  const bloomery::Filter& keys() const noexcept { return keys_; }
  // The same, with the wrong drops so far in its counts: what a state file holds.
  const bloomery::Filter& snapshot() noexcept;
  const std::optional<WindowWatch>& window() const noexcept { return window_; }
  // The input has ended: rates that only the bits know are read from them. Cost: O(size), if anything
  void settle();
  bool is_exact() const noexcept override { return keys_.kind() == bloomery::Kind::exact; }

  // Exact: the chance n^2 / 2^129 that two of n honest lines have one fingerprint.
  double expected_wrong_drops() const;
  double estimated_distinct() const;  // fresh ones and wrong drops
  double rate() const { return window_ ? window_->rate() : wrong_.rate(); }
  // Is the rate above the promised one? False without a promise.
  bool promise_broken() const;
  // The budget that would keep the promise for so many distinct keys. REQUIRES: a promise.
  std::uint64_t memory_for_promise(double distinct) const;

 private:
  SeenSet(bloomery::Filter keys, const SeenPlan& plan);
  void make_room(std::uint64_t more_keys, double share_read);
  bool reserve(std::uint64_t more_keys);
  std::uint64_t likely_more(double share_read) const;
  void change_over(double share_read);
  void append_segment();
  bloomery::Plan first_segment(std::uint64_t bytes, double share_read) const;

  SeenPlan plan_;
  bloomery::Filter keys_;
  WrongDrops wrong_;
  std::uint64_t room_for_ = 0;  // so many distinct keys, in a table
  std::optional<WindowWatch> window_;
};

}  // namespace cli
