#include "bloomery/layout/blocked.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "plan/measured_test.hpp"

namespace bloomery {
namespace {

using testing_rates::Random;

TEST(Subsets, AreSixtyFourOfKElementsThatUseEveryWordAlike) {
  for (unsigned k = 1; k <= 8; ++k) {
    const Blocked::Subsets& subsets = Blocked::subsets(k);
    std::array<unsigned, 8> used{};
    for (const unsigned subset : subsets) {
      EXPECT_EQ(std::popcount(subset), static_cast<int>(k));
      for (unsigned word = 0; word < 8; ++word) used[word] += (subset >> word) & 1;
    }
    for (const unsigned times : used) EXPECT_EQ(times, 8 * k) << "k " << k;
  }
}

TEST(Subsets, AreTheRotationsOfTheRepresentatives) {
  // k = 2: the orbits of 00000011, 00000101 and 00001001 have eight members; that of 00010001 has four.
  const std::uint8_t representatives[] = {0b00000011, 0b00000101, 0b00001001};
  for (unsigned i = 0; i < 64; ++i)
    EXPECT_EQ(Blocked::subsets(2)[i], std::rotl(representatives[i / 8 % 3], static_cast<int>(i % 8)));
  for (const unsigned subset : Blocked::subsets(8)) EXPECT_EQ(subset, 255u);
}

TEST(BlockedInsert, SetsTheBitsOfTheRule) {
  Random random(1);
  for (int turn = 0; turn < 200; ++turn) {
    const unsigned k = 1 + static_cast<unsigned>(random.word() % 8);
    const unsigned r = 1 + static_cast<unsigned>(random.word() % 8);
    const Shape shape{.probes = static_cast<std::uint8_t>(k), .lines_per_key = static_cast<std::uint8_t>(r), .cells = 9};
    std::vector<std::byte> bytes(Blocked::size_bytes(shape));
    const Hash key = random.hash();
    Blocked::insert(shape, bytes, key);

    std::vector<std::uint64_t> words = {key.lo, key.hi};
    for (unsigned t = 2; t < 8; ++t) words.push_back(mix(words[t - 2] + t * 0x9E3779B97F4A7C15));
    std::vector<bool> expected(9 * 512);
    for (unsigned t = 0; t < r; ++t) {
      const std::uint64_t g = (words[t] >> 6) * 0x9E3779B97F4A7C15;
      for (unsigned j = 0; j < 8; ++j)
        if ((Blocked::subsets(k)[words[t] % 64] >> j) & 1)
          expected[high64(words[t], 9) * 512 + j * 64 + ((g >> (8 * j)) % 64)] = true;
    }
    for (std::size_t bit = 0; bit < expected.size(); ++bit)
      ASSERT_EQ((std::to_integer<unsigned>(bytes[bit / 8]) >> (bit % 8)) & 1, expected[bit]) << "bit " << bit;
  }
}

// current_fpr counts patterns; here they are asked, one by one.
TEST(BlockedCurrentFpr, IsTheShareOfStrangersThatPass) {
  Random random(2);
  for (const unsigned r : {1u, 2u})
    for (const unsigned k : {1u, 3u, 5u, 8u}) {
      const Shape shape{.probes = static_cast<std::uint8_t>(k), .lines_per_key = static_cast<std::uint8_t>(r), .cells = 3};
      std::vector<std::byte> bytes(Blocked::size_bytes(shape));
      for (int key = 0; key < 180; ++key) Blocked::insert(shape, bytes, random.hash());
      constexpr double kStrangers = 400'000;
      double maybes = 0;
      for (int i = 0; i < kStrangers; ++i) maybes += Blocked::may_contain(shape, bytes, random.hash());
      const double rate = Blocked::current_fpr(shape, bytes);
      EXPECT_NEAR(maybes / kStrangers, rate, 5 * std::sqrt(rate / kStrangers)) << "k " << k << " r " << r;
    }
}

}  // namespace
}  // namespace bloomery
