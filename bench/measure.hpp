// One scenario: all contestants of one size over one kind of keys.
#pragma once
#include "results.hpp"

namespace bench {

struct Effort {
  unsigned rounds = 15;
  std::uint64_t probes = 4'000'000;  // different keys in a set of lookups
  double task_seconds = 0.03;        // about how long one contestant's turn takes
  std::uint64_t fpr_probes = 100'000'000;
  unsigned limit_repeats = 5;
  bool singles = true;  // also one key at a time
};

// Measures every operation that a contestant offers and adds what it found to `results`. Ends the program when
// somebody forgets a key: a false negative.
// REQUIRES: Key std::uint64_t for "hashes", std::string_view for "URLs".
template <class Key>
void measure(const Scenario& scenario, Contestants<Key> contestants, const Effort& effort, Results& results);

// Adds how fast this machine goes through lines at random: by page size and number of threads.
void measure_limits(std::uint64_t size_bytes, const Effort& effort, Results& results);

}  // namespace bench
