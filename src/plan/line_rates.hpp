// How often the pattern of a stranger is found in a 512-bit line of the blocked layout, or in a line of counters.
#pragma once
#include <array>
#include <cstddef>

namespace bloomery::plan_model {

// at(j): the chance that all bits of a random pattern are set after j random patterns went in, exactly:
// inclusion and exclusion over the bits of the pattern, with the real table of subsets.
class LineRates {
 public:
  static constexpr double kMaxLoad = 20'480;  // from here on every bit is set, to a double

  // word_cells: how many bits, or counters, a 64-bit word of the line has.
  // REQUIRES: 1 <= probes <= 8; word_cells 64, 32, 16, 8 or 4. Threads: any. Cost: about a millisecond at the first call for each number.
  static const LineRates& of(unsigned probes, unsigned word_cells = 64) noexcept;

  double at(double load) const noexcept { return load < kMaxLoad ? rates_[static_cast<std::size_t>(load)] : 1; }

  LineRates(unsigned probes, unsigned word_cells) noexcept;  // use of()

 private:
  std::array<double, static_cast<std::size_t>(kMaxLoad)> rates_;
};

}  // namespace bloomery::plan_model
