// What tests of false-positive rates share: ideal hashes, and rates measured over many filters.
#pragma once
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <vector>

#include "layout/layouts.hpp"

namespace bloomery::testing_rates {

// Random words that repeat from run to run. Source: Steele, Lea, Flood, "Fast splittable pseudorandom
// number generators", 2014.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}

  std::uint64_t word() {
    std::uint64_t z = (state_ += 0x9E3779B97F4A7C15);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
    return z ^ (z >> 31);
  }
  Hash hash() {
    const std::uint64_t lo = word();
    return {lo, word()};
  }

 private:
  std::uint64_t state_;
};

inline bool slow_tests() { return std::getenv("BLOOMERY_SLOW_TESTS") != nullptr; }

struct Measured {
  double rate;
  double error;  // one standard deviation of `rate`

  // Is `expected` within five standard deviations and `band`, a share, of what was measured?
  bool agrees(double expected, double band) const { return std::fabs(rate - expected) <= 5 * error + band * expected; }
};

// The mean over `filters` filters of rate(shape, bytes), each with `keys` random keys.
template <class L, class Rate>
Measured over_filters(const Shape& shape, std::uint64_t keys, unsigned filters, Random& random, Rate rate) {
  std::vector<std::byte> bytes(L::size_bytes(shape));
  double sum = 0, squares = 0;
  for (unsigned i = 0; i < filters; ++i) {
    std::fill(bytes.begin(), bytes.end(), std::byte{});
    for (std::uint64_t key = 0; key < keys; ++key) L::insert(shape, bytes, random.hash());
    const double one = rate(shape, bytes);
    sum += one;
    squares += one * one;
  }
  const double mean = sum / filters;
  return {mean, std::sqrt(std::fmax(0, squares / filters - mean * mean) / filters)};
}

// From the bits of the filters: exact for each, however small its rate.
template <class L>
Measured from_bits(const Shape& shape, std::uint64_t keys, unsigned filters, Random& random) {
  return over_filters<L>(shape, keys, filters, random, [](const Shape& s, ConstBytes bytes) { return L::current_fpr(s, bytes); });
}

// By asking each filter about strangers.
template <class L>
Measured by_asking(const Shape& shape, std::uint64_t keys, unsigned filters, unsigned strangers, Random& random) {
  Measured m = over_filters<L>(shape, keys, filters, random, [&](const Shape& s, ConstBytes bytes) {
    unsigned maybes = 0;
    for (unsigned i = 0; i < strangers; ++i) maybes += L::may_contain(s, bytes, random.hash());
    return static_cast<double>(maybes) / strangers;
  });
  const double asked = static_cast<double>(filters) * strangers;
  m.error = std::fmax(m.error, std::sqrt(std::fmax(m.rate, 1 / asked) / asked));
  return m;
}

}  // namespace bloomery::testing_rates
