#include "bloomery/plan.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>

namespace bloomery {
namespace {

constexpr double kRates[] = {0.5, 0.1, 0.01, 1e-3, 1e-4, 1e-6, 1e-9, 1e-12};

nlohmann::json golden() {
  std::ifstream file(BLOOMERY_SOURCE_DIR "/tests/golden/seed/seed_filters.json");
  return nlohmann::json::parse(file);
}

Plan must_plan(const PlanRequest& want) {
  auto made = plan(want);
  EXPECT_TRUE(made) << (made ? "" : made.error().message);
  return made ? *made : Plan{};
}

TEST(ArticlePlan, TakesTheNumbersOfTheArticle) {
  const auto rows = golden()["planned"];
  EXPECT_EQ(rows.size(), 48u);
  for (const auto& row : rows) {
    const Plan p = must_plan({.kind = Kind::classic, .keys = row["n"].get<std::uint64_t>(), .fpr = row["p"].get<double>(),
                              .article = true});
    EXPECT_EQ(p.shape.cells, row["m"].get<std::uint64_t>()) << row;
    EXPECT_EQ(p.shape.probes, row["k"].get<unsigned>()) << row;
    EXPECT_EQ(p.shape.rule, 0) << row;
  }
}

TEST(ArticlePlan, TenMillionKeysAtOneInAThousand) {
  const Plan p = must_plan({.kind = Kind::classic, .keys = 10'000'000, .fpr = 1e-3, .article = true});
  EXPECT_EQ(p.shape.cells, 143'775'876u);
  EXPECT_EQ(p.shape.probes, 10u);
  EXPECT_EQ(p.size_bytes, 17'971'985u);
  EXPECT_NEAR(static_cast<double>(p.size_bytes) / 1e6, 17.97, 0.005);
  EXPECT_NEAR(static_cast<double>(p.size_bytes) / (1 << 20), 17.14, 0.005);
  EXPECT_GT(p.fpr, 1e-3);
  EXPECT_LT(p.fpr, 1.0001e-3);
}

TEST(ArticlePlan, KeepsASizeAndHashesThatAreGiven) {
  const Plan p = must_plan({.kind = Kind::classic, .bits = 9586, .hashes = 7, .article = true});
  EXPECT_EQ(p.shape, (Shape{.kind = Kind::classic, .rule = 0, .probes = 7, .cells = 9586}));
  EXPECT_EQ(p.keys, 0u);
  EXPECT_EQ(p.fpr, 0);
}

class NativePlan : public ::testing::TestWithParam<Kind> {};

TEST_P(NativePlan, AchievesWhatIsAsked) {
  for (const double fpr : kRates)
    for (std::uint64_t keys = 1; keys <= std::uint64_t{1} << 40; keys = keys < 20 ? keys + 1 : keys * 3) {
      const Plan p = must_plan({.kind = GetParam(), .keys = keys, .fpr = fpr});
      ASSERT_GT(p.fpr, 0) << keys << " " << fpr;
      ASSERT_LE(p.fpr, fpr) << keys << " " << fpr;
      ASSERT_EQ(p.fpr, expected_fpr(p.shape, keys));
      ASSERT_EQ(p.keys, keys);
      ASSERT_EQ(p.asked_fpr, fpr);
    }
}

// Numbers of keys that people have, with the lines per key chosen and given.
TEST_P(NativePlan, AchievesWhatIsAskedToTheLastBit) {
  for (const double fpr : {1e-3, 1e-4, 1e-6})
    for (std::uint64_t keys = 30'000; keys < 30'200; ++keys)
      ASSERT_LE(must_plan({.kind = GetParam(), .keys = keys, .fpr = fpr}).fpr, fpr) << keys;
  for (unsigned lines = 1; GetParam() == Kind::blocked && lines <= 8; ++lines)
    ASSERT_LE(must_plan({.keys = 30'086, .fpr = 1e-6, .lines_per_key = lines}).fpr, 1e-6) << lines;
}

TEST_P(NativePlan, SizeGrowsWithTheKeys) {
  const double least = GetParam() == Kind::windowed ? 5.1e-18 : 1e-18;
  for (const double fpr : {0.99, 0.5, 0.1, 0.01, 1e-3, 1e-6, 1e-9, 1e-12, least}) {
    std::uint64_t last = 0;
    for (std::uint64_t keys = 1; keys < (std::uint64_t{1} << 40); keys += 1 + keys / 7) {
      const std::uint64_t bytes = must_plan({.kind = GetParam(), .keys = keys, .fpr = fpr}).size_bytes;
      ASSERT_GE(bytes, last) << keys << " keys at " << fpr;
      last = bytes;
    }
    const std::uint64_t most = std::uint64_t{1} << 40;
    for (std::uint64_t keys = most - 20; keys <= most; ++keys) {
      const std::uint64_t bytes = must_plan({.kind = GetParam(), .keys = keys, .fpr = fpr}).size_bytes;
      ASSERT_GE(bytes, last) << keys << " keys at " << fpr;
      last = bytes;
    }
  }
}

TEST_P(NativePlan, TheSizeIsTheSmallest) {
  for (const double fpr : {0.1, 1e-3, 1e-6})
    for (const std::uint64_t keys : {30u, 500u, 20'000u}) {
      const Plan p = must_plan({.kind = GetParam(), .keys = keys, .fpr = fpr});
      Shape smaller = p.shape;
      --smaller.cells;
      EXPECT_GT(expected_fpr(smaller, keys), fpr) << keys << " " << fpr;
    }
}

TEST_P(NativePlan, SolvesForTheKeysThatFit) {
  if (GetParam() == Kind::windowed) GTEST_SKIP() << "its window must be given";
  for (const double fpr : {0.1, 0.01, 1e-4})
    for (const std::uint64_t bits : {512u, 4095u, 4096u, 100'000u, 80'000'000u}) {
      const Plan p = must_plan({.kind = GetParam(), .fpr = fpr, .bits = bits});
      EXPECT_LE(expected_fpr(p.shape, p.keys), fpr);
      EXPECT_GT(expected_fpr(p.shape, p.keys + 1), fpr);
      EXPECT_GE(p.size_bytes * 8, bits);
    }
}

TEST_P(NativePlan, HashesThatAreGivenAreKept) {
  for (unsigned hashes = 1; hashes <= 8; ++hashes) {
    const Plan p = must_plan({.kind = GetParam(), .keys = 1'000'000, .fpr = 0.001, .hashes = hashes});
    EXPECT_EQ(p.shape.probes, hashes);
    EXPECT_LE(p.fpr, 0.001);
  }
}

INSTANTIATE_TEST_SUITE_P(Kinds, NativePlan, ::testing::Values(Kind::classic, Kind::blocked, Kind::windowed),
                         [](const auto& kind) { return std::string(name(kind.param)); });

TEST(ClassicPlan, HashesGivenSetTheBitsPerKey) {
  for (const double fpr : {0.1, 0.01, 0.001}) {
    const Plan p = must_plan({.kind = Kind::classic, .keys = 1'000'000, .fpr = fpr, .hashes = 3});
    EXPECT_NEAR(p.bits_per_key, formula::bits_per_key_fixed(fpr, 3), 0.001);
  }
}

TEST(ClassicPlan, OneKeyNeedsMoreBitsAndFewerHashesThanTheTextbookSays) {
  const Plan p = must_plan({.kind = Kind::classic, .keys = 1, .fpr = 1e-12});
  EXPECT_EQ(p.shape.cells, 65u);
  EXPECT_EQ(p.shape.probes, 29u);
}

// Bits per key over classic's optimum, for one, two and three lines per key.
TEST(BlockedPlan, CostsWhatTheLinesCost) {
  struct Row { double fpr, one, two, three; };
  for (const Row row : {Row{1e-2, 1.036, 1.009, 1.005}, Row{1e-3, 1.094, 1.018, 1.009},
                        Row{1e-4, 1.231, 1.036, 1.015}, Row{1e-6, 1.804, 1.094, 1.036}, Row{1e-9, 4.331, 1.333, 1.094}}) {
    const double costs[] = {row.one, row.two, row.three};
    for (unsigned lines = 1; lines <= 3; ++lines) {
      const Plan p = must_plan({.keys = 10'000'000, .fpr = row.fpr, .lines_per_key = lines});
      const double cost = p.bits_per_key / formula::optimal_bits(1, row.fpr);
      EXPECT_NEAR(cost, costs[lines - 1], 0.0006) << row.fpr << " with " << lines << " lines";
    }
  }
}

TEST(BlockedPlan, TakesTheFewestLinesThatCostATenth) {
  struct Row { double fpr; unsigned lines; };
  for (const Row row : {Row{0.5, 1}, Row{0.1, 1}, Row{1e-2, 1}, Row{1e-3, 1}, Row{1e-4, 2}, Row{1e-6, 2}, Row{1e-9, 3}}) {
    const Plan p = must_plan({.keys = 10'000'000, .fpr = row.fpr});
    EXPECT_EQ(p.shape.lines_per_key, row.lines) << row.fpr;
    EXPECT_LE(p.bits_per_key, 1.1 * formula::optimal_bits(1, row.fpr)) << row.fpr;
  }
}

TEST(BlockedPlan, BestHashesForASize) {
  struct Row { double bits_per_key; unsigned hashes; double fpr; };
  for (const Row row : {Row{8, 5, 0.02330}, Row{10, 6, 0.00969}, Row{12, 7, 0.00418}, Row{16, 8, 0.000916}}) {
    const Plan p = must_plan({.keys = 4'000'000, .bits_per_key = row.bits_per_key});
    EXPECT_EQ(p.shape.probes, row.hashes);
    EXPECT_EQ(p.shape.lines_per_key, 1);
    EXPECT_NEAR(p.fpr, row.fpr, 0.015 * row.fpr);
  }
}

TEST(ExactPlan, KeepsEveryKey) {
  const Plan p = must_plan({.kind = Kind::exact, .keys = 1000});
  EXPECT_EQ(p.shape, (Shape{.kind = Kind::exact, .cell_bits = 128, .cells = 1000}));
  EXPECT_EQ(p.size_bytes, 16'000u);
  EXPECT_LT(p.fpr, 1e-30);
  EXPECT_EQ(must_plan({.kind = Kind::exact}).shape.cells, 0u);
}

TEST(HashWidth, SetsAFloor) {
  const std::uint64_t keys = std::uint64_t{1} << 40;
  const Plan one = must_plan({.keys = keys, .fpr = 1e-3});
  EXPECT_EQ(one.fpr_floor, std::ldexp(1, 40 - 64));
  EXPECT_EQ(must_plan({.keys = keys, .fpr = 1e-9}).fpr_floor, std::ldexp(1, 40 - 128));
  const auto below = plan({.keys = keys, .fpr = 1e-9, .lines_per_key = 1});
  ASSERT_FALSE(below);
  EXPECT_EQ(below.error().code, Errc::invalid_argument);
}

TEST(EstimatedKeys, InvertTheFill) {
  for (const Kind kind : {Kind::classic, Kind::blocked}) {
    const Plan p = must_plan({.kind = kind, .keys = 100'000, .fpr = 1e-4});
    const double bits = p.bits_per_key * 1e5;
    const double fill = -std::expm1(-1e5 * p.shape.probes * p.shape.lines_per_key / bits);
    EXPECT_NEAR(estimated_keys(p.shape, fill).value(), 1e5, 1e-3);
    EXPECT_EQ(estimated_keys(p.shape, 0).value(), 0);
    EXPECT_FALSE(estimated_keys(p.shape, 1));
  }
}

struct Refused {
  PlanRequest want;
  const char* message;
};

TEST(Refusals, NameTheArgumentAndItsRange) {
  const double nan = std::numeric_limits<double>::quiet_NaN(), inf = std::numeric_limits<double>::infinity();
  const std::uint64_t big = std::uint64_t{1} << 51;
  const Refused cases[] = {
      {{.keys = 1, .fpr = 0.0}, "fpr must be above 0 and below 1 (got 0)"},
      {{.keys = 1, .fpr = 1.0}, "fpr must be above 0 and below 1 (got 1)"},
      {{.keys = 1, .fpr = 2.0}, "fpr must be above 0 and below 1 (got 2)"},
      {{.keys = 1, .fpr = -1.0}, "fpr must be above 0 and below 1 (got -1)"},
      {{.keys = 1, .fpr = nan}, "fpr must be above 0 and below 1 (got nan)"},
      {{.keys = 1, .fpr = inf}, "fpr must be above 0 and below 1 (got inf)"},
      {{.keys = 1, .fpr = 1e-19}, "fpr must be at least 1e-18 (got 1e-19)"},
      {{.keys = 0, .fpr = 0.1}, "keys must be 1..2^40 (got 0)"},
      {{.keys = big, .fpr = 0.1}, "keys must be 1..2^40 (got 2251799813685248)"},
      {{.keys = 1, .bits = 0}, "bits must be 1..2^50 (got 0)"},
      {{.keys = 1, .bits = big}, "bits must be 1..2^50 (got 2251799813685248)"},
      {{.keys = 1, .bits_per_key = 0.0}, "bits_per_key must be above 0 and finite (got 0)"},
      {{.keys = 1, .bits_per_key = nan}, "bits_per_key must be above 0 and finite (got nan)"},
      {{.keys = 1, .bits_per_key = inf}, "bits_per_key must be above 0 and finite (got inf)"},
      {{.keys = 1 << 20, .bits_per_key = 1e12}, "bits_per_key x keys must be at most 2^50 bits (got 1e+12)"},
      {{.keys = 1, .fpr = 0.1, .hashes = 0}, "hashes must be 1..8 for kind blocked (got 0)"},
      {{.keys = 1, .fpr = 0.1, .hashes = 1'000'000'000}, "hashes must be 1..8 for kind blocked (got 1000000000)"},
      {{.kind = Kind::classic, .keys = 1, .fpr = 0.1, .hashes = 256},
       "hashes must be 1..255 for kind classic (got 256)"},
      {{.keys = 1, .fpr = 0.1, .lines_per_key = 9}, "lines_per_key must be 1..8 for kind blocked (got 9)"},
      {{.kind = Kind::classic, .keys = 1, .fpr = 0.1, .lines_per_key = 1},
       "lines_per_key is for kinds blocked and counting only, and the kind here is classic"},
      {{.keys = 1, .fpr = 0.1, .article = true}, "article plans are for kind classic only, and the kind here is blocked"},
      {{.keys = 1, .bits = 8, .bits_per_key = 8.0}, "bits and bits_per_key were both given: keep one"},
      {{.fpr = 0.1, .bits_per_key = 8.0}, "bits_per_key needs keys as well"},
      {{.keys = 1}, "keys alone do not make a plan: give fpr, bits or bits_per_key as well"},
      {{.fpr = 0.1}, "fpr alone does not make a plan: give keys or bits as well"},
      {{.bits = 8}, "bits alone do not make a plan: give keys, fpr or hashes as well"},
      {{}, "nothing to plan from: give keys and fpr, or keys and bits"},
      {{.kind = Kind::exact, .keys = 1, .bits = 128},
       "bits cannot be chosen for kind exact: it keeps 128 bits of every key"},
      {{.kind = static_cast<Kind>(77), .keys = 1, .fpr = 0.1}, "kind is unknown (got 77)"},
      {{.kind = Kind::classic, .fpr = 1e-9, .bits = 8},
       "bits are too few: not even one key keeps fpr 1e-09 in 8 bits"},
  };
  for (const Refused& refused : cases) {
    const auto made = plan(refused.want);
    ASSERT_FALSE(made) << refused.message;
    EXPECT_EQ(made.error().code, Errc::invalid_argument);
    EXPECT_EQ(made.error().message, refused.message);
  }
}

TEST(Refusals, KeysRateAndSizeMustAgree) {
  const auto made = plan({.kind = Kind::classic, .keys = 1000, .fpr = 0.01, .bits = 1000});
  ASSERT_FALSE(made);
  EXPECT_EQ(made.error().message.find("keys, fpr and size contradict each other: 1000 keys in 1000 bits"), 0u);
  const Plan roomy = must_plan({.kind = Kind::classic, .keys = 1000, .fpr = 0.01, .bits = 20'000});
  EXPECT_EQ(roomy.shape.cells, 20'000u);
  EXPECT_LE(roomy.fpr, 0.01);
}

}  // namespace
}  // namespace bloomery
