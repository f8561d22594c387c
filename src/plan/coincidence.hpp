// Small blocked filters: several lines of one key may be the same line.
#pragma once
#include <array>
#include <cstddef>

namespace bloomery::plan_model {

inline constexpr unsigned kMaxPatterns = 8;

// moments[c] = E[(b/64)^c], b = bits set in one word of a line.
using WordMoments = std::array<double, kMaxPatterns + 1>;

// The distribution of b as patterns go into the line one at a time, each touching the word with chance k/8.
class WordFill {
 public:
  explicit WordFill(unsigned probes) noexcept : touch_(probes / 8.0) { mass_[0] = 1; }
  void add_pattern() noexcept;
  WordMoments moments() const noexcept;

 private:
  static constexpr unsigned kBits = 64;
  double touch_;
  std::array<double, kBits + 1> mass_{};
};

// In how many words m random patterns of one key meet: the distribution over the eight words of the number of
// patterns that touch each.
class SharedWords {
 public:
  // REQUIRES: 1 <= probes <= 8, 1 <= patterns <= 8.
  SharedWords(unsigned probes, unsigned patterns) noexcept;

  // The mean of the product over words of E[(b/64)^(patterns that touch it)], times pair_factor for every
  // pair of bits asked for in two different words.
  double rate(const WordMoments& moments, double pair_factor) const noexcept;

 private:
  struct Case {
    std::array<unsigned char, kMaxPatterns + 1> counts;  // counts[c] = how many of the words c patterns touch
    double chance;
  };
  static constexpr std::size_t kMaxCases = 526;  // ways to write 32 as eight numbers of 0..8: no sum has more

  void add_pattern(unsigned probes) noexcept;
  void spread(const Case& from, Case to, unsigned level, unsigned left) noexcept;
  void add(const Case& found) noexcept;

  std::array<Case, kMaxCases> cases_;
  std::size_t size_ = 0;
};

// at(j): the chance that one line holds all of m random patterns after j random patterns went in.
class SharedRates {
 public:
  static constexpr double kMaxLoad = 1024;  // from here on lines differ too little to matter

  // REQUIRES: 1 <= probes <= 8, 2 <= patterns <= 8.
  // Threads: any. Cost: up to some milliseconds at the first call for each pair.
  static const SharedRates& of(unsigned probes, unsigned patterns) noexcept;

  double at(double load) const noexcept;

  SharedRates(unsigned probes, unsigned patterns) noexcept;  // use of()

 private:
  unsigned probes_, patterns_;
  std::array<double, static_cast<std::size_t>(kMaxLoad)> rates_;
};

}  // namespace bloomery::plan_model
