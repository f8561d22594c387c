// What dedup remembers with --window or --window-time: the last lines, or those of the last while.
#pragma once
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

#include "bloomery/filter.hpp"

namespace cli {

struct SeenWindow {
  std::uint64_t lines = 0;              // that it is planned for
  std::optional<double> seconds = {};   // by the clock
  bool from_first = false;              // age counts from the first sighting
  bool rate_gives_way = false;          // where more lines come in `seconds`; else the window
};

struct WindowOptions {
  std::optional<std::uint64_t> lines;
  std::optional<double> seconds;
  bool from_first = false;
  std::string gives_way;  // "window", "rate", or empty: window
};

// What does not go together, also with --expected. Errors: Failure
void refuse_contradictions(const WindowOptions& options, bool expected_given, bool state_given);

// What the options ask for, if anything. By the clock it holds `expected` lines, or without that as many as fit into
// 64M, or into memory_bytes if that is less. REQUIRES: no contradictions
std::optional<SeenWindow> window_of(const WindowOptions& options, std::optional<std::uint64_t> expected, double fpr,
                                    std::uint64_t memory_bytes);

// A state must be as the options say, window and all. Errors: Failure, naming the file.
void refuse_other_window(const std::string& path, const bloomery::Filter& keys, const WindowOptions& options,
                         std::optional<double> promised_fpr);

// Errors: Failure, if memory_bytes cannot hold it.
bloomery::Plan plan_window(const SeenWindow& window, double fpr, std::uint64_t memory_bytes);

// "the last 1,000 lines are remembered, ..."
std::string window_text(const bloomery::Filter& keys, const std::optional<double>& seconds);

// The clock of a window, and what its filter probably answers wrongly.
class WindowWatch {
 public:
  // REQUIRES: a filter of kind windowed
  WindowWatch(const bloomery::Filter& keys, const SeenWindow& window);

  // Begins the generations that are due by the clock, before `sightings` more. Cost: O(size) for each.
  void before_insert(bloomery::Filter& keys, std::uint64_t sightings);
  void after_insert(const bloomery::Filter& keys, std::uint64_t fresh);
  // How many lines may go in between two looks at the clock and at the rate.
  std::size_t step() const noexcept { return window_.seconds ? share() : ~std::size_t{0}; }
  // Where the rate gave way, it is read from the bits. Cost: O(size)
  void measure(const bloomery::Filter& keys);

  // The most that it comes to by the plan; where it gave way, what was measured last.
  double rate() const noexcept { return rate_; }
  double wrong_drops() const noexcept { return wrong_drops_; }
  // By the clock: came more in a quarter of the window than a quarter of its lines?
  bool overflowed() const noexcept { return overflowed_; }
  // Which --expected would have kept window and rate.
  std::uint64_t lines_needed() const noexcept;

 private:
  std::uint64_t share() const noexcept;  // of a generation

  using Clock = std::chrono::steady_clock;

  SeenWindow window_;
  double rate_, wrong_drops_;
  Clock::time_point generation_began_ = Clock::now();
  std::uint64_t in_generation_ = 0, most_in_generation_ = 0, measured_at_ = 0;
  bool overflowed_ = false;
};

}  // namespace cli
