// How many new keys a filter has probably taken for repeats.
#pragma once
#include <cstdint>

#include "bloomery/filter.hpp"

namespace cli {

// A new key is called fresh with chance (1 - e)(1 - q): e is the rate of the earlier segments, q that of
// the last one at that moment, by the model. So each key called fresh stands for 1 / ((1 - e)(1 - q)) new
// ones, and all but one of these were dropped. Those that the last segment itself took for repeats set no
// bit in it because theirs were set: they count among its keys.
class WrongDrops {
 public:
  explicit WrongDrops(double so_far = 0) noexcept : settled_(so_far) {}

  // From now on keys go to the filter's last segment, which holds `keys_in_last` distinct ones.
  // Cost: O(size of the filter) if there are earlier segments, to learn e from their bits.
  void begin_segment(const bloomery::Filter& filter, double keys_in_last);

  void add(std::uint64_t fresh);
  double expected() const;  // the wrong drops so far
  double rate() const;      // of the whole filter, now, by the model

 private:
  struct Odds {
    double dropped;  // new keys dropped, for each one called fresh
    double own;      // of these by the last segment
  };
  Odds odds(double keys) const;
  double last_fpr(double keys) const;
  void settle();

  // A rate costs microseconds: it is worked out once for so many keys and interpolated linearly.
  static constexpr double kLeastStep = 4096;

  bloomery::Shape last_ = {};
  bool exact_ = true;
  double earlier_fpr_ = 0;
  double keys_ = 0;           // distinct, in the last segment, at the last evaluation
  double pending_ = 0;        // fresh ones since then
  double settled_ = 0;        // expected wrong drops up to then
  Odds before_ = {0, 0};      // odds then
};

}  // namespace cli
