#include "harness.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "keys.hpp"
#include "timing.hpp"

namespace bench {
namespace {

TEST(Harness, EveryTaskRunsOnceInEveryRoundInRotatingOrder) {
  std::string order;
  std::vector<Task> tasks;
  for (const char name : {'a', 'b', 'c'})
    tasks.push_back({std::string(1, name), "op", [&order, name](unsigned round) {
                       order += name;
                       return static_cast<double>(round + 1);
                     }});
  const auto series = run_rounds(tasks, 3);
  EXPECT_EQ(order, "abcbcacab");
  for (const Series& s : series) EXPECT_EQ(s.ns, (std::vector<double>{1, 2, 3}));
}

TEST(Harness, MedianAndSpread) {
  EXPECT_EQ(median({3, 1, 2}), 2);
  EXPECT_EQ(median({4, 1, 2, 3}), 2.5);
  EXPECT_EQ(interquartile_range({1, 2, 3, 4, 5}), 2);
  EXPECT_EQ(median(ratios({"", "", {2, 6}}, {"", "", {1, 2}})), 2.5);
}

TEST(Harness, ALargeFilterIsFilledOverTheRoundsASmallOneInEach) {
  const KeyArray<std::uint64_t> many(5'000'001, [](std::uint64_t i) { return i; });
  std::uint64_t inserted = 0, clears = 0;
  const FillTurns turns = {.rounds = 3, .turn_seconds = 1e-6};
  const auto count = [&](Words keys) { inserted += keys.size(); };
  auto turn = turns(
      many.keys(), [&] { ++clears; }, count);
  for (unsigned round = 0; round < 3; ++round) turn(round);
  EXPECT_EQ(inserted, many.keys().size());
  EXPECT_EQ(clears, 1u);
  turn = turns(
      many.keys().first(10), [&] { inserted = 0; }, count);
  turn(2);
  EXPECT_EQ(inserted, 10u);
}

TEST(Keys, UrlsAreDistinctAndOfTheSizesPromised) {
  const KeyArray<std::string_view> urls(20'000, [](std::uint64_t i) { return i; });
  const std::set<std::string_view> distinct(urls.keys().begin(), urls.keys().end());
  EXPECT_EQ(distinct.size(), urls.keys().size());
  for (const std::string_view url : urls.keys()) {
    EXPECT_GE(url.size(), 24u);
    EXPECT_LE(url.size(), kMaxUrlBytes);
    EXPECT_EQ(url.substr(0, 4), "http");
  }
}

TEST(Keys, HitsAreMembersAndMissesAreNot) {
  const KeySets<std::uint64_t> sets(1000, 5000);
  const std::set<std::uint64_t> members(sets.members.keys().begin(), sets.members.keys().end());
  std::size_t mixed_hits = 0;
  for (const std::uint64_t key : sets.hits.keys()) EXPECT_TRUE(members.contains(key));
  for (const std::uint64_t key : sets.misses.keys()) EXPECT_FALSE(members.contains(key));
  for (const std::uint64_t key : sets.mixed.keys()) mixed_hits += members.contains(key);
  EXPECT_NEAR(static_cast<double>(mixed_hits), 2500, 200);
}

}  // namespace
}  // namespace bench
