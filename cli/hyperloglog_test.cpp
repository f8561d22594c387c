#include "cli/hyperloglog.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>

namespace cli {
namespace {

// Independent of the hash functions of the library. Source: Steele, Lea, Flood, SplitMix, 2014.
class SplitMix {
 public:
  explicit SplitMix(std::uint64_t seed) : state_(seed) {}
  std::uint64_t next() noexcept {
    std::uint64_t z = state_ += 0x9E3779B97F4A7C15;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
    return z ^ (z >> 31);
  }

 private:
  std::uint64_t state_;
};

TEST(HyperLogLog, OfNothingIsNothing) { EXPECT_EQ(HyperLogLog().estimate(), 0); }

TEST(HyperLogLog, FewKeysAreCountedAlmostExactly) {
  SplitMix random(1);
  HyperLogLog sketch;
  for (int n = 1; n <= 100; ++n) {
    sketch.add(random.next());
    EXPECT_NEAR(sketch.estimate(), n, 1.0 + 0.02 * n);
  }
}

TEST(HyperLogLog, RepeatsChangeNothing) {
  HyperLogLog once, often;
  for (int round = 0; round < 3; ++round) {
    SplitMix random(2);
    for (int i = 0; i < 50'000; ++i) {
      const std::uint64_t hash = random.next();
      often.add(hash);
      if (round == 0) once.add(hash);
    }
  }
  EXPECT_EQ(once.estimate(), often.estimate());
}

// Over 64 seeds: the mean error is none beyond chance (so there is no bias), the spread is at most what is
// stated. With 64 samples a spread has a standard error of 1/sqrt(128) = 9%: four of those are allowed.
TEST(HyperLogLog, KeepsItsStatedErrorWithoutBias) {
  constexpr int kSeeds = 64;
  for (const std::uint64_t keys : {1'000U, 30'000U, 65'536U, 160'000U, 500'000U}) {
    double sum = 0, squares = 0;
    for (int seed = 0; seed < kSeeds; ++seed) {
      SplitMix random(1000003 * keys + static_cast<std::uint64_t>(seed));
      HyperLogLog sketch;
      for (std::uint64_t i = 0; i < keys; ++i) sketch.add(random.next());
      const double error = sketch.estimate() / static_cast<double>(keys) - 1;
      sum += error;
      squares += error * error;
    }
    const double mean = sum / kSeeds, spread = std::sqrt(squares / kSeeds);
    EXPECT_LT(std::abs(mean), 4 * HyperLogLog::kStandardError / std::sqrt(kSeeds)) << keys;
    EXPECT_LT(spread, HyperLogLog::kStandardError * (1 + 4 / std::sqrt(2.0 * kSeeds))) << keys;
    if (keys < 160'000U) continue;
    EXPECT_GT(spread, HyperLogLog::kStandardError * 0.6) << keys;  // it does measure something
  }
}

// A hash whose last 48 bits are zeros fills its register to the top, and the estimate stays finite.
TEST(HyperLogLog, LivesWithTheLongestRuns) {
  HyperLogLog sketch;
  for (std::uint64_t i = 0; i < HyperLogLog::kRegisters; i += 2) sketch.add(i << 48);
  EXPECT_TRUE(std::isfinite(sketch.estimate()));
}

}  // namespace
}  // namespace cli
