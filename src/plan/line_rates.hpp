// How often the pattern of a stranger is found in a 512-bit line of the blocked layout.
#pragma once
#include <array>
#include <cstddef>

namespace bloomery::plan_model {

// at(j): the chance that all bits of a random pattern are set after j random patterns went in, exactly:
// inclusion and exclusion over the bits of the pattern, with the real table of subsets.
class LineRates {
 public:
  static constexpr double kMaxLoad = 20'480;  // from here on every bit is set, to a double

  // REQUIRES: 1 <= probes <= 8. Threads: any. Cost: about a millisecond at the first call for each number.
  static const LineRates& of(unsigned probes) noexcept;

  double at(double load) const noexcept { return load < kMaxLoad ? rates_[static_cast<std::size_t>(load)] : 1; }

  explicit LineRates(unsigned probes) noexcept;  // use of()

 private:
  std::array<double, static_cast<std::size_t>(kMaxLoad)> rates_;
};

}  // namespace bloomery::plan_model
