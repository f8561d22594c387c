// One filter of a shared set: its size, and what its rate is.
#pragma once
#include <cstdint>

namespace cli {

// A filter of a fixed size with the bits of BF.RESERVE: docs/redis.md has the formulas.
struct ShardShape {
  std::uint64_t capacity = 0;
  double reserved_fpr = 0;
  std::uint64_t bits = 0;
  unsigned probes = 0;

  static ShardShape of(std::uint64_t capacity, double reserved_fpr);

  // With room for the uneven shares of `expected` lines in `shards` filters. Where so few bits could not keep the
  // rate because of equal steps, more, up to 1 MiB for each.
  static ShardShape planned(std::uint64_t expected, std::uint64_t shards, double fpr);

  // The rate with so many distinct lines in it: that of independent probes, and what it takes in a small filter that
  // the probes go in equal steps.
  double rate(double keys) const;
  double rate_of_free_probes(double keys) const;  // the first part of it
};

// How many new lines one filter has taken for repeats, by its rate at the time.
class ShardLosses {
 public:
  explicit ShardLosses(const ShardShape& shape) : shape_(shape) {}

  // The filter has called `count` lines new in all, `own` of them lines of this run since the last call.
  // Returns how many lines of this run it dropped, as expected, meanwhile.
  double advance(std::uint64_t count, std::uint64_t own);

  double keys() const { return static_cast<double>(count_) + lost_; }  // distinct, of all
  double rate() const { return shape_.rate(keys()); }

 private:
  ShardShape shape_;
  std::uint64_t count_ = 0;
  double lost_ = 0;
};

}  // namespace cli
