#include "bloomery/keys.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>

#include "bloomery/filter.hpp"

namespace bloomery {
namespace {

std::string bytes_of(std::string_view key) { return std::string(key); }

TEST(IntegerKey, IsEightLittleEndianBytes) {
  using namespace std::string_literals;
  EXPECT_EQ(bytes_of(IntegerKey(0x0102030405060708)), "\x08\x07\x06\x05\x04\x03\x02\x01"s);
  EXPECT_EQ(bytes_of(IntegerKey(5)), "\x05\0\0\0\0\0\0\0"s);
  EXPECT_EQ(bytes_of(IntegerKey(-1)), "\xff\xff\xff\xff\xff\xff\xff\xff"s);
  EXPECT_EQ(bytes_of(IntegerKey(std::uint64_t{1} << 63)), "\0\0\0\0\0\0\0\x80"s);
}

TEST(IntegerKey, DoesNotDependOnTheType) {
  EXPECT_EQ(bytes_of(IntegerKey(std::int8_t{-3})), bytes_of(IntegerKey(std::int64_t{-3})));
  EXPECT_EQ(bytes_of(IntegerKey(std::uint8_t{200})), bytes_of(IntegerKey(200LL)));
  EXPECT_EQ(bytes_of(IntegerKey(true)), bytes_of(IntegerKey(1U)));
}

TEST(IntegerPairKey, IsOneAfterTheOther) {
  EXPECT_EQ(bytes_of(IntegerPairKey(1, -2)), bytes_of(IntegerKey(1)) + bytes_of(IntegerKey(-2)));
  EXPECT_NE(bytes_of(IntegerPairKey(1, 2)), bytes_of(IntegerPairKey(2, 1)));
}

TEST(HashPair, IsTheHashOfTheDocumentedBytes) {
  for (const Hasher& hasher : {Hasher::xxh3(3), Hasher::murmur3(), Hasher::siphash({})}) {
    const auto pair = hash_pair(hasher, "ab", "c");
    ASSERT_TRUE(pair);
    EXPECT_EQ(*pair, hasher(bytes_of(IntegerKey(2)) + "abc"));
    EXPECT_FALSE(*pair == *hash_pair(hasher, "a", "bc"));
  }
  EXPECT_EQ(hash_pair(Hasher::precomputed(), "a", "b").error().code, Errc::not_supported);
}

TEST(Keys, GoIntoFilters) {
  auto seen = Filter::create({.expected_keys = 1000, .fpr = 1e-6});
  ASSERT_TRUE(seen);
  for (int i = 0; i < 300; ++i) {
    ASSERT_TRUE(seen->insert(IntegerKey(i)));
    ASSERT_TRUE(seen->insert(IntegerPairKey(i, i + 1)));
    ASSERT_TRUE(seen->insert(*hash_pair(seen->hasher(), std::to_string(i), "x")));
  }
  for (int i = 0; i < 300; ++i) {
    EXPECT_TRUE(seen->may_contain(IntegerKey(static_cast<std::uint16_t>(i))));
    EXPECT_TRUE(seen->may_contain(IntegerPairKey(i, i + 1)));
    EXPECT_FALSE(seen->may_contain(IntegerPairKey(i + 1, i)));
    EXPECT_TRUE(seen->may_contain(*hash_pair(seen->hasher(), std::to_string(i), "x")));
  }
}

// A user's own hash, mixed, under precomputed: the rate is the planned one also for consecutive integers.
TEST(Keys, OwnHashesGoThroughPrecomputed) {
  auto own = Filter::create({.expected_keys = 20'000, .fpr = 0.01, .hasher = Hasher::precomputed()});
  ASSERT_TRUE(own);
  const auto hash = [](std::uint64_t i) { return Hash::from_u64(mix(std::hash<std::uint64_t>{}(i) + kGolden)); };
  for (std::uint64_t i = 0; i < 20'000; ++i) ASSERT_TRUE(own->insert(hash(i)));
  int maybes = 0;
  for (std::uint64_t i = 0; i < 200'000; ++i) maybes += own->may_contain(hash(1'000'000 + i));
  EXPECT_NEAR(maybes, 2000, 300);
}

}  // namespace
}  // namespace bloomery
