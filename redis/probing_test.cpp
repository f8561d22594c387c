// Positions without a division are those of a division.
#include "redis/probing.hpp"

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace bloomery::redis {
namespace {

constexpr std::uint64_t kMost = ~std::uint64_t{0};

std::uint64_t rest(std::uint64_t x, std::uint64_t modulus) { return Probing(modulus, false)({x, 0}, 0); }

std::vector<std::uint64_t> moduli() {
  std::vector<std::uint64_t> found = {1, 2, 3, 63, 64, 65, kMost, kMost - 1, kMost / 2, kMost / 2 + 1, kMost / 2 + 2};
  std::mt19937_64 random(1);
  for (int bits = 0; bits < 64; ++bits)
    for (int i = 0; i < 20; ++i) found.push_back((random() >> bits) | std::uint64_t{1} << (i & 1));
  for (int bits = 1; bits < 64; ++bits) found.push_back(std::uint64_t{1} << bits);
  return found;
}

TEST(Probing, IsTheRestOfADivision) {
  std::mt19937_64 random(2);
  for (const std::uint64_t m : moduli()) {
    for (int i = 0; i < 1000; ++i) {
      const std::uint64_t x = random() >> (i & 31);
      ASSERT_EQ(rest(x, m), x % m) << x << " % " << m;
    }
    for (std::uint64_t near : {std::uint64_t{0}, m, m * (kMost / m), kMost}) {  // where the rest leaps
      for (std::uint64_t x : {near - 2, near - 1, near, near + 1}) ASSERT_EQ(rest(x, m), x % m) << x << " % " << m;
    }
  }
}

TEST(Probing, StepsModulo2To64) {
  const Hashes hashes = {kMost - 5, kMost / 3};
  const Probing at(1000003, false);
  for (std::uint32_t i = 0; i < 2000; ++i) ASSERT_EQ(at(hashes, i), (hashes.first + i * hashes.step) % 1000003);
}

TEST(Probing, NarrowOnesStepModulo2To32) {
  const Hashes hashes = {0xfffffff0, 0x9e3779b9};
  const Probing at(1 << 20, true), odd(1000003, true);
  for (std::uint32_t i = 0; i < 2000; ++i) {
    const auto x = static_cast<std::uint32_t>(hashes.first + i * hashes.step);
    ASSERT_EQ(at(hashes, i), x % (1 << 20));
    ASSERT_EQ(odd(hashes, i), x % 1000003);
  }
}

}  // namespace
}  // namespace bloomery::redis
