// Estimates of what two filters share, and how often their intervals hold the truth.
#include "bloomery/compare.hpp"
#include "hash/nth_hash.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

namespace bloomery {
namespace {

struct Case {
  const char* label;
  PlanRequest want;
  std::uint64_t only_a, only_b, both;
};

// What is in: `both` keys in both, the rest in one only; other keys in every run.
struct Pair {
  Filter a, b;

  static Filter empty(const PlanRequest& want) { return std::move(*Filter::create(*plan(want), Hasher::precomputed())); }

  Pair(const Case& tested, std::uint64_t run) : a(empty(tested.want)), b(empty(tested.want)) {
    std::uint64_t next = run << 32;
    std::vector<Hash> keys;
    const auto insert = [&](std::uint64_t count, bool into_a, bool into_b) {
      keys.clear();
      for (std::uint64_t i = 0; i < count; ++i) keys.push_back(nth_hash(next++));
      if (into_a) { EXPECT_TRUE(a.insert(std::span<const Hash>(keys))); }
      if (into_b) { EXPECT_TRUE(b.insert(std::span<const Hash>(keys))); }
    };
    insert(tested.only_a, true, false), insert(tested.only_b, false, true), insert(tested.both, true, true);
  }
};

bool holds(const Estimate& estimate, double truth) { return estimate.low <= truth && truth <= estimate.high; }

class EveryPair : public testing::TestWithParam<Case> {};

// 600 pairs of filters: 95% intervals hold the truth in 92.5% of the runs at least, which less than 0.3% of all tests
// with honest intervals would miss; and are not so wide that they always do, where the half key does not decide.
TEST_P(EveryPair, IntervalsHoldTheTruthAsOftenAsTheySay) {
  constexpr int kRuns = 600;
  const Case& c = GetParam();
  const auto in_a = static_cast<double>(c.only_a + c.both), in_b = static_cast<double>(c.only_b + c.both);
  const auto both = static_cast<double>(c.both), either = in_a + static_cast<double>(c.only_b);
  int held[5] = {};
  double sum_both = 0;
  for (int run = 1; run <= kRuns; ++run) {
    const Pair pair(c, static_cast<std::uint64_t>(run));
    const auto got = compare(pair.a, pair.b);
    ASSERT_TRUE(got) << got.error().message;
    held[0] += holds(got->keys_a, in_a), held[1] += holds(got->keys_b, in_b);
    held[2] += holds(got->keys_in_either, either), held[3] += holds(got->keys_in_both, both);
    held[4] += holds(got->jaccard, both / either);
    sum_both += got->keys_in_both.value;
  }
  const char* const names[] = {"a", "b", "either", "both", "jaccard"};
  for (int i = 0; i < 5; ++i) {
    EXPECT_GE(held[i], 0.925 * kRuns) << names[i];
    RecordProperty(names[i], held[i]);
  }
  if (in_a > 1000) { EXPECT_LE(held[2], 0.985 * kRuns) << "wider than it need be"; }
  if (in_a > 1000) { EXPECT_NEAR(sum_both / kRuns, both, 0.02 * either) << "no bias"; }
}

INSTANTIATE_TEST_SUITE_P(
    Pairs, EveryPair,
    testing::Values(Case{"classic", {.kind = Kind::classic, .keys = 3000, .fpr = 0.01}, 1000, 700, 1000},
                    Case{"classic_overfull", {.kind = Kind::classic, .keys = 1000, .fpr = 0.01}, 1500, 700, 800},
                    Case{"classic_apart", {.kind = Kind::classic, .keys = 3000, .fpr = 0.01}, 2000, 2000, 0},
                    Case{"classic_few", {.kind = Kind::classic, .keys = 3000, .fpr = 0.01}, 10, 5, 20},
                    Case{"blocked", {.kind = Kind::blocked, .keys = 3000, .fpr = 0.01}, 1000, 700, 1000},
                    Case{"blocked_low_rate", {.kind = Kind::blocked, .keys = 3000, .fpr = 1e-6}, 1000, 700, 1000},
                    Case{"blocked_within", {.kind = Kind::blocked, .keys = 3000, .fpr = 0.01}, 2500, 0, 500},
                    Case{"counting", {.kind = Kind::counting, .keys = 3000, .fpr = 0.01}, 1000, 700, 1000},
                    Case{"counting_line",
                         {.kind = Kind::counting, .keys = 3000, .fpr = 0.01, .lines_per_key = 1},
                         1000,
                         700,
                         1000}),
    [](const auto& tested) { return std::string(tested.param.label); });

TEST(Compare, EqualAndEmptyFilters) {
  const Case c{"", {.kind = Kind::blocked, .keys = 3000, .fpr = 0.01}, 0, 0, 2000};
  const Pair pair(c, 1);
  const auto same = compare(pair.a, pair.b);
  ASSERT_TRUE(same);
  EXPECT_NEAR(same->jaccard.value, 1, 1e-9);
  EXPECT_EQ(same->jaccard.high, 1);
  EXPECT_GT(same->jaccard.low, 0.999);
  const Pair nothing({"", c.want, 0, 0, 0}, 1);
  const auto empty = compare(nothing.a, nothing.b);
  ASSERT_TRUE(empty);
  EXPECT_EQ(empty->keys_in_either.value, 0);
  EXPECT_EQ(empty->jaccard.value, 0);
}

TEST(Compare, ExactFiltersAreComparedExactly) {
  Filter a = std::move(*Filter::create({.kind = Kind::exact})), b = std::move(*Filter::create({.kind = Kind::exact}));
  for (int i = 0; i < 700; ++i) ASSERT_TRUE(a.insert("key " + std::to_string(i)));
  for (int i = 500; i < 1000; ++i) ASSERT_TRUE(b.insert("key " + std::to_string(i)));
  const auto got = compare(a, b);
  ASSERT_TRUE(got);
  EXPECT_EQ(got->keys_in_both.low, 200);
  EXPECT_EQ(got->keys_in_both.high, 200);
  EXPECT_EQ(got->keys_in_either.value, 1000);
  EXPECT_EQ(got->jaccard.value, 0.2);
}

TEST(Compare, WiderConfidenceIsWider) {
  const Pair pair({"", {.kind = Kind::classic, .keys = 3000, .fpr = 0.01}, 1000, 700, 1000}, 7);
  const auto narrow = compare(pair.a, pair.b, 0.5), wide = compare(pair.a, pair.b, 0.9999);
  ASSERT_TRUE(narrow && wide);
  EXPECT_LT(narrow->keys_in_both.high, wide->keys_in_both.high);
  EXPECT_GT(narrow->jaccard.low, wide->jaccard.low);
}

TEST(Compare, RefusesWhatCannotBeCompared) {
  const Filter a = Pair::empty({.kind = Kind::classic, .keys = 100, .fpr = 0.01});
  const Filter b = Pair::empty({.kind = Kind::classic, .keys = 200, .fpr = 0.01});
  EXPECT_EQ(compare(a, b).error().code, Errc::incompatible);
  for (const double confidence : {0.0, 1.0, -1.0, std::nan("")})
    EXPECT_EQ(compare(a, a, confidence).error().code, Errc::invalid_argument);
  const std::vector<Hash> keys = {nth_hash(1), nth_hash(2)};
  const auto frozen = Filter::build({.kind = Kind::ribbon, .expected_keys = keys.size(), .hasher = Hasher::precomputed()}, keys);
  ASSERT_TRUE(frozen);
  EXPECT_EQ(compare(*frozen, *frozen).error().code, Errc::not_supported);
  Filter grown = Pair::empty({.kind = Kind::classic, .keys = 100, .fpr = 0.01});
  ASSERT_TRUE(grown.append_segment(*plan({.kind = Kind::classic, .keys = 100, .fpr = 0.01})));
  EXPECT_EQ(compare(grown, grown).error().code, Errc::not_supported);
  Filter full = Pair::empty({.kind = Kind::classic, .keys = 10, .fpr = 0.01});
  for (std::uint64_t i = 0; i < 5000; ++i) ASSERT_TRUE(full.insert(nth_hash(i)));
  EXPECT_EQ(compare(full, full).error().code, Errc::full);
}

}  // namespace
}  // namespace bloomery
