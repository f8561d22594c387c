#include "bloomery/layout/fuse.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <vector>

#include "bloomery/plan.hpp"

namespace bloomery {
namespace {

Hash nth_hash(std::uint64_t i) { return Hash::from_u64(mix(mix(i * kGolden) + kGolden)); }

std::vector<Hash> hashes(std::uint64_t first, std::uint64_t count) {
  std::vector<Hash> list;
  for (std::uint64_t i = 0; i < count; ++i) list.push_back(nth_hash(first + i));
  return list;
}

struct Built {
  Shape shape;
  std::vector<std::byte> bytes;
  bool may_contain(Hash h) const { return Fuse::may_contain(shape, bytes, h); }
};

Built build(unsigned cell_bits, unsigned probes, std::span<const Hash> keys) {
  Built built;
  built.shape = Fuse::sized({.kind = Kind::fuse,
                             .probes = static_cast<std::uint8_t>(probes),
                             .cell_bits = static_cast<std::uint8_t>(cell_bits)},
                            keys.size());
  built.bytes.resize(Fuse::build_bytes(built.shape, keys.size()));
  const auto done = Fuse::build(built.shape, built.bytes, keys);
  EXPECT_TRUE(done) << (done ? "" : done.error().message);
  EXPECT_TRUE(Fuse::check(built.shape));
  EXPECT_LE(Fuse::size_bytes(built.shape), built.bytes.size());
  built.bytes.resize(Fuse::size_bytes(built.shape));
  return built;
}

TEST(Fuse, HoldsEveryKeyAtEverySize) {
  for (const unsigned probes : {3u, 4u})
    for (std::uint64_t n = 0; n < 3000; n += 1 + n / 8)
      for (const unsigned cell_bits : {8u, 16u, 32u}) {
        const auto keys = hashes(n * 10'000, n);
        const Built built = build(cell_bits, probes, keys);
        for (const Hash key : keys) ASSERT_TRUE(built.may_contain(key)) << n;
        EXPECT_EQ(built.shape.param[1], n);
      }
}

TEST(Fuse, RateIsThatOfTheFingerprintAndSizeThePublishedOne) {
  struct Case {
    unsigned cell_bits, probes;
    double cells_per_key;
  };
  constexpr std::uint64_t kKeys = 1'000'000;
  const auto keys = hashes(0, kKeys), strangers = hashes(kKeys, 4 * kKeys);
  for (const Case& c : {Case{8, 3, 1.125}, Case{8, 4, 1.075}, Case{16, 3, 1.125}, Case{32, 4, 1.075}}) {
    const Built built = build(c.cell_bits, c.probes, keys);
    for (const Hash key : keys) ASSERT_TRUE(built.may_contain(key));
    const auto maybes = std::count_if(strangers.begin(), strangers.end(), [&](Hash h) { return built.may_contain(h); });
    const double expected = Fuse::fpr(built.shape, kKeys) * 4 * kKeys;
    EXPECT_NEAR(static_cast<double>(maybes), expected, 5 * std::sqrt(expected) + 1);
    EXPECT_LE(static_cast<double>(built.shape.cells) / kKeys, c.cells_per_key * 1.02);
  }
}

TEST(Fuse, RepeatsCountOnce) {
  auto keys = hashes(0, 1000);
  const Built once = build(8, 3, keys);
  for (int i = 0; i < 300'000; ++i) keys.push_back(keys[static_cast<std::size_t>(i % 7)]);
  std::reverse(keys.begin(), keys.end());
  const Built often = build(8, 3, keys);
  EXPECT_EQ(often.shape, once.shape);
  for (std::uint64_t i = 0; i < 50'000; ++i) {
    ASSERT_TRUE(i >= 1000 || often.may_contain(nth_hash(i)));
  }
  const Built one = build(16, 4, std::vector<Hash>(5'000'000, nth_hash(5)));
  EXPECT_EQ(one.shape.param[1], 1u);
  EXPECT_TRUE(one.may_contain(nth_hash(5)));
  EXPECT_FALSE(one.may_contain(nth_hash(6)));
}

// Equal first or second words are no repeats, and neither is the hash of zeros.
TEST(Fuse, TellsHashesApartByBothWords) {
  std::vector<Hash> keys = {{0, 0}};
  for (std::uint64_t i = 0; i < 2000; ++i) {
    keys.push_back({7, mix(i + kGolden)});
    keys.push_back({mix(i + kGolden), 7});
    keys.push_back({i, i});
  }
  std::set<std::pair<std::uint64_t, std::uint64_t>> distinct;
  for (const Hash key : keys) distinct.insert({key.lo, key.hi});
  const Built built = build(32, 3, keys);
  for (const Hash key : keys) ASSERT_TRUE(built.may_contain(key));
  EXPECT_EQ(built.shape.param[1], distinct.size());
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

}  // namespace
}  // namespace bloomery
