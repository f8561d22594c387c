#include "bloomery/layout/fuse.hpp"
#include "bloomery/layout/ribbon.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <vector>

#include "bloomery/plan.hpp"
#include "hash/nth_hash.hpp"

namespace bloomery {
namespace {

// A static filter as its layout leaves it.
template <class L>
struct Built {
  Shape shape;
  std::vector<std::byte> bytes;
  std::uint64_t keys = 0;
  bool may_contain(Hash h) const { return L::may_contain(shape, bytes, h); }
  double bits_per_key() const { return static_cast<double>(L::size_bits(shape)) / static_cast<double>(keys); }
};

template <class L>
Built<L> build(unsigned cell_bits, unsigned probes, std::span<const Hash> keys) {
  Built<L> built;
  built.shape = L::sized({.kind = L::kind,
                          .probes = static_cast<std::uint8_t>(probes),
                          .cell_bits = static_cast<std::uint8_t>(cell_bits)},
                         keys.size());
  EXPECT_TRUE(L::check(built.shape));
  built.bytes.resize(L::build_bytes(built.shape, keys.size()));
  const auto done = L::build(built.shape, built.bytes, keys);
  EXPECT_TRUE(done) << (done ? "" : done.error().message);
  built.keys = *done;
  const auto checked = L::check(built.shape);
  EXPECT_TRUE(checked) << (checked ? "" : checked.error().message);
  EXPECT_LE(L::size_bytes(built.shape), built.bytes.size());
  built.bytes.resize(L::size_bytes(built.shape));
  return built;
}

struct Fuse3 : Fuse {
  static constexpr unsigned kCellsOfKey = 3, kWidths[] = {8, 16, 32};
  static constexpr double kPublished = 1.125;
};
struct Fuse4 : Fuse {
  static constexpr unsigned kCellsOfKey = 4, kWidths[] = {8, 16, 32};
  static constexpr double kPublished = 1.075;
};
struct RibbonOfAnyWidth : Ribbon {
  static constexpr unsigned kCellsOfKey = 0, kWidths[] = {1, 2, 7, 8, 13, 32};
  static constexpr double kPublished = 1;  // and at most 2% more
};

template <class L>
class StaticLayout : public testing::Test {};
using StaticLayouts = testing::Types<Fuse3, Fuse4, RibbonOfAnyWidth>;
TYPED_TEST_SUITE(StaticLayout, StaticLayouts);

TYPED_TEST(StaticLayout, HoldsEveryKeyAtEverySize) {
  for (std::uint64_t n = 0; n < 10'000; n += 1 + n / 8)
    for (const unsigned cell_bits : TypeParam::kWidths) {
      const auto keys = nth_hashes(n * 10'000, n);
      const auto built = build<TypeParam>(cell_bits, TypeParam::kCellsOfKey, keys);
      for (const Hash key : keys) ASSERT_TRUE(built.may_contain(key)) << n;
      EXPECT_EQ(built.keys, n);
      if (n == 0) { EXPECT_EQ(built.shape.cells, 0u); }
    }
}

TYPED_TEST(StaticLayout, RateIsThatOfTheFingerprintAndSizeThePublishedOne) {
  constexpr std::uint64_t kKeys = 1'000'000;
  const auto keys = nth_hashes(0, kKeys), strangers = nth_hashes(kKeys, 4 * kKeys);
  for (const unsigned cell_bits : TypeParam::kWidths) {
    const auto built = build<TypeParam>(cell_bits, TypeParam::kCellsOfKey, keys);
    ASSERT_TRUE(std::all_of(keys.begin(), keys.end(), [&](Hash h) { return built.may_contain(h); }));
    const auto maybes = std::count_if(strangers.begin(), strangers.end(), [&](Hash h) { return built.may_contain(h); });
    const double expected = TypeParam::fpr(built.shape, kKeys) * 4 * kKeys;
    EXPECT_NEAR(static_cast<double>(maybes), expected, 5 * std::sqrt(expected) + 1) << cell_bits;
    EXPECT_LE(built.bits_per_key(), TypeParam::kPublished * 1.02 * cell_bits) << cell_bits;
  }
}

TYPED_TEST(StaticLayout, RepeatsCountOnce) {
  auto keys = nth_hashes(0, 5000);
  const auto once = build<TypeParam>(8, TypeParam::kCellsOfKey, keys);
  for (int i = 0; i < 300'000; ++i) keys.push_back(keys[static_cast<std::size_t>(i % 7)]);
  std::reverse(keys.begin(), keys.end());
  const auto often = build<TypeParam>(8, TypeParam::kCellsOfKey, keys);
  EXPECT_EQ(often.shape, once.shape);
  EXPECT_EQ(often.keys, 5000u);
  for (std::uint64_t i = 0; i < 5000; ++i) ASSERT_TRUE(often.may_contain(nth_hash(i)));
  // More of one than the table of words takes.
  const auto one = build<TypeParam>(32, TypeParam::kCellsOfKey, std::vector<Hash>(5'000'000, nth_hash(5)));
  EXPECT_EQ(one.keys, 1u);
  EXPECT_TRUE(one.may_contain(nth_hash(5)));
  EXPECT_FALSE(one.may_contain(nth_hash(6)));
}

// Equal first or second words are no repeats, and neither is the hash of zeros.
TYPED_TEST(StaticLayout, TellsHashesApartByBothWords) {
  std::vector<Hash> keys = {{0, 0}};
  for (std::uint64_t i = 0; i < 2000; ++i) {
    keys.push_back({7, mix(i + kGolden)});
    keys.push_back({mix(i + kGolden), 7});
    keys.push_back({i, i});
  }
  std::set<std::pair<std::uint64_t, std::uint64_t>> distinct;
  for (const Hash key : keys) distinct.insert({key.lo, key.hi});
  const auto built = build<TypeParam>(32, TypeParam::kCellsOfKey, keys);
  for (const Hash key : keys) ASSERT_TRUE(built.may_contain(key));
  EXPECT_EQ(built.keys, distinct.size());
}

// Of a thousand small sets some need several salts.
TYPED_TEST(StaticLayout, TriesAgainUntilItIsSolved) {
  const Shape first = build<TypeParam>(8, TypeParam::kCellsOfKey, nth_hashes(0, 1)).shape;
  unsigned again = 0;
  for (std::uint64_t set = 0; set < 1000; ++set) {
    const auto keys = nth_hashes(set * 1000, 20 + set % 200);
    const auto built = build<TypeParam>(8, TypeParam::kCellsOfKey, keys);
    again += built.shape.salt != first.salt;
    for (const Hash key : keys) ASSERT_TRUE(built.may_contain(key));
  }
  if (TypeParam::kind == Kind::fuse) { EXPECT_GT(again, 0u); }
}

TEST(Fuse, PlansByRateBySizeAndByWidth) {
  const auto shape_of = [](PlanRequest want) {
    want.kind = Kind::fuse;
    want.keys = 1'000'000;
    const auto planned = plan(want);
    EXPECT_TRUE(planned) << (planned ? "" : planned.error().message);
    EXPECT_TRUE(!want.fpr || planned->fpr <= *want.fpr);
    return planned->shape;
  };
  EXPECT_EQ(shape_of({.fpr = 0.01}).cell_bits, 8);
  EXPECT_EQ(shape_of({.fpr = 0x1p-8}).cell_bits, 8);
  EXPECT_EQ(shape_of({.fpr = 0.003}).cell_bits, 16);
  EXPECT_EQ(shape_of({.fpr = 1e-9}).cell_bits, 32);
  EXPECT_EQ(shape_of({.fpr = 0.01, .hashes = 4}).probes, 4);
  EXPECT_EQ(shape_of({.bits_per_key = 20}).cell_bits, 16);
  EXPECT_EQ(shape_of({.fpr = 0.01, .cell_bits = 32}).cell_bits, 32);
  const auto refusal = [](PlanRequest want) {
    want.kind = Kind::fuse;
    const auto planned = plan(want);
    return planned ? std::string() : planned.error().message;
  };
  EXPECT_NE(refusal({.keys = 1000, .fpr = 1e-10}).find("fpr must be at least 2^-32"), std::string::npos);
  EXPECT_NE(refusal({.keys = 1000, .fpr = 0.01, .hashes = 2}).find("hashes must be 3 or 4"), std::string::npos);
  EXPECT_NE(refusal({.fpr = 0.01, .bits = 1000}).find("keys must be given"), std::string::npos);
  EXPECT_NE(refusal({.keys = 1000, .bits = 1000}).find("bits are too few"), std::string::npos);
  EXPECT_NE(refusal({.keys = 1000, .fpr = 0.01, .cell_bits = 9}).find("cell_bits must be 8, 16 or 32"), std::string::npos);
  EXPECT_NE(refusal({.keys = 1000, .fpr = 1e-4, .cell_bits = 8}).find("needs more than the 8 bits"), std::string::npos);
}

TEST(Ribbon, PlansByRateBySizeAndByWidth) {
  const auto shape_of = [](PlanRequest want) {
    want.kind = Kind::ribbon;
    want.keys = 1'000'000;
    const auto planned = plan(want);
    EXPECT_TRUE(planned) << (planned ? "" : planned.error().message);
    EXPECT_TRUE(!want.fpr || planned->fpr <= *want.fpr);
    return planned->shape;
  };
  EXPECT_EQ(shape_of({.fpr = 0.01}).cell_bits, 7);
  EXPECT_EQ(shape_of({.fpr = 0.5}).cell_bits, 1);
  EXPECT_EQ(shape_of({.fpr = 1e-9}).cell_bits, 30);
  EXPECT_EQ(shape_of({.bits_per_key = 20}).cell_bits, 19);
  const auto refused = plan({.kind = Kind::ribbon, .keys = 1000, .fpr = 0.01, .hashes = 2});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().message, "hashes cannot be chosen for kind ribbon");
}

// What a plan says of the size is what the filter takes: how many keys are bumped is known well enough.
TEST(Ribbon, IsAsLargeAsPlanned) {
  for (const std::uint64_t n : {1000u, 10'000u, 300'000u, 2'000'000u}) {
    const auto built = build<Ribbon>(8, 0, nth_hashes(n, n));
    const Shape planned = Ribbon::sized({.kind = Kind::ribbon, .cell_bits = 8}, n);
    const double size = static_cast<double>(Ribbon::size_bytes(built.shape));
    EXPECT_NEAR(static_cast<double>(Ribbon::size_bytes(planned)), size, 0.02 * size) << n;
  }
}

}  // namespace
}  // namespace bloomery
