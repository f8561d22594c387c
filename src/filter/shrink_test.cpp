// A folded filter is the one that a smaller plan would have made.
#include "bloomery/shrink.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "bloomery/plan.hpp"

namespace bloomery {
namespace {

Filter make(Shape shape, const Hasher& hasher, std::uint64_t keys) {
  auto filter = Filter::create(Plan{.shape = shape, .keys = keys, .fpr = expected_fpr(shape, keys)}, hasher);
  EXPECT_TRUE(filter) << (filter ? "" : filter.error().message);
  return std::move(*filter);
}

Shape shape_of(const PlanRequest& want, std::uint64_t multiple) {
  Shape shape = plan(want)->shape;
  shape.cells = (shape.cells + multiple - 1) / multiple * multiple;
  return shape;
}

struct Case {
  const char* label;
  PlanRequest want;
  Hasher hasher;
};

class EveryFold : public testing::TestWithParam<Case> {};

TEST_P(EveryFold, HoldsTheBitsOfTheSmallerFilter) {
  constexpr std::uint64_t kKeys = 2000;
  for (const std::uint64_t by : {2u, 3u, 8u}) {
    const Shape shape = shape_of(GetParam().want, by);
    Shape small = shape;
    small.cells /= by;
    Filter large = make(shape, GetParam().hasher, kKeys), expected = make(small, GetParam().hasher, kKeys);
    for (std::uint64_t i = 0; i < kKeys; ++i) {
      const std::string key = "key " + std::to_string(i);
      ASSERT_TRUE(large.insert(key) && expected.insert(key));
    }
    const auto folded = shrink(large, by);
    ASSERT_TRUE(folded) << folded.error().message;
    EXPECT_TRUE(*folded == expected) << by;
    EXPECT_EQ(folded->counts(), large.counts());
    EXPECT_EQ(folded->planned_fpr(), expected_fpr(small, kKeys)) << "the new rate is stated";
    EXPECT_GT(folded->planned_fpr(), large.planned_fpr());
    std::uint64_t maybes = 0;
    for (int i = 0; i < 20'000; ++i) maybes += folded->may_contain("stranger " + std::to_string(i));
    const double rate = folded->expected_fpr();
    EXPECT_NEAR(static_cast<double>(maybes) / 20'000, rate, 0.1 * rate + 0.003) << by;
    auto writable = folded->clone();
    ASSERT_TRUE(writable && writable->insert("one more"));
  }
}

INSTANTIATE_TEST_SUITE_P(
    Folds, EveryFold,
    testing::Values(Case{"classic", {.kind = Kind::classic, .keys = 2000, .fpr = 0.001}, Hasher::xxh3()},
                    Case{"article", {.kind = Kind::classic, .keys = 2000, .fpr = 0.001, .article = true}, Hasher::murmur3()},
                    Case{"blocked", {.kind = Kind::blocked, .keys = 2000, .fpr = 0.001}, Hasher::xxh3(5)},
                    Case{"two_lines", {.kind = Kind::blocked, .keys = 2000, .fpr = 0.001, .lines_per_key = 2}, Hasher::xxh3()}),
    [](const auto& tested) { return std::string(tested.param.label); });

TEST(Shrink, RefusesWhatDoesNotFold) {
  const Filter f = make({.kind = Kind::classic, .rule = 1, .probes = 3, .cells = 1001}, Hasher::xxh3(), 100);
  for (const std::uint64_t by : {0u, 1u, 2u, 5u, 1002u}) EXPECT_EQ(shrink(f, by).error().code, Errc::invalid_argument) << by;
  EXPECT_EQ(shrink(f, 2).error().message, "by must divide the 1001 bits of the filter, from 2 on: 7, 11, 13, 77");
  EXPECT_TRUE(shrink(f, 1001));
  const auto counting = Filter::create({.kind = Kind::counting, .expected_keys = 100});
  const auto exact = Filter::create({.kind = Kind::exact});
  ASSERT_TRUE(counting && exact);
  EXPECT_EQ(shrink(*counting, 2).error().code, Errc::not_supported);
  EXPECT_EQ(shrink(*exact, 2).error().code, Errc::not_supported);
  Filter grown = make({.kind = Kind::blocked, .probes = 6, .cells = 10}, Hasher::xxh3(), 100);
  ASSERT_TRUE(grown.append_segment(*plan({.keys = 100, .fpr = 0.01})));
  EXPECT_EQ(shrink(grown, 2).error().code, Errc::not_supported);
}

std::vector<Hash> hashes(std::uint64_t first, std::uint64_t count) {
  std::vector<Hash> list(count);
  for (std::uint64_t i = 0; i < count; ++i) list[i] = Hash::from_u64(mix(first + i));
  return list;
}

TEST(ShrinkToFit, LeavesRoomForTheKeysAtThePlannedRate) {
  constexpr std::uint64_t kRemembered = 20'000;
  Filter grown = std::move(*Filter::create(Growth{.fpr = 0.01, .remember_keys = kRemembered}, Hasher::precomputed()));
  EXPECT_TRUE(*shrink_to_fit(grown) == grown);
  ASSERT_TRUE(grown.insert(hashes(0, kRemembered + 1)));
  const Segment before = grown.segments()[0];
  ASSERT_EQ(before.shape.cells, first_bytes(kRemembered) / 64 / 64 * 64);
  Filter fitted = std::move(*shrink_to_fit(grown));
  const Segment& after = fitted.segments()[0];
  EXPECT_EQ(before.shape.cells, 16 * after.shape.cells);
  EXPECT_EQ(after.planned_fpr, before.planned_fpr);
  EXPECT_GE(after.planned_keys, after.keys_inserted);
  EXPECT_LT(after.planned_keys, 2 * after.keys_inserted);
  EXPECT_LE(fitted.expected_fpr(), 0.005);
  EXPECT_EQ(fitted.growth(), grown.growth());
  EXPECT_EQ(fitted.counts(), grown.counts());
  ASSERT_TRUE(fitted.insert(hashes(kRemembered + 1, 20 * kRemembered)));
  EXPECT_GT(fitted.segments().size(), 1u);
  EXPECT_LE(fitted.expected_fpr(), 0.01);
  const auto keys = hashes(0, 21 * kRemembered + 1);
  const auto out = std::make_unique<bool[]>(keys.size());
  EXPECT_EQ(fitted.may_contain(keys, {out.get(), keys.size()}), keys.size());
  EXPECT_TRUE(*shrink_to_fit(fitted) == fitted);  // several segments
}

TEST(ShrinkToFit, IsForFiltersThatGrow) {
  const Filter planned = std::move(*Filter::create({.expected_keys = 100}));
  EXPECT_EQ(shrink_to_fit(planned).error().code, Errc::not_supported);
}

}  // namespace
}  // namespace bloomery
