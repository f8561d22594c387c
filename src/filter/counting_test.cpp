// Counting filters against an exact multiset.
#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "bloomery/filter.hpp"
#include "bloomery/layout/counting.hpp"
#include "hash/nth_hash.hpp"

namespace bloomery {
namespace {

Filter counting(std::uint64_t keys, unsigned cell_bits, bool by_lines, double fpr = 0.01) {
  PlanRequest want{.kind = Kind::counting, .keys = keys, .fpr = fpr, .cell_bits = cell_bits};
  if (by_lines) want.lines_per_key = 1;
  const auto planned = plan(want);
  EXPECT_TRUE(planned) << (planned ? "" : planned.error().message);
  auto filter = Filter::create(*planned, Hasher::precomputed());
  EXPECT_TRUE(filter) << (filter ? "" : filter.error().message);
  return std::move(*filter);
}

struct Case {
  unsigned cell_bits;
  bool by_lines;
};

class EveryCounter : public testing::TestWithParam<Case> {
 protected:
  static Filter make(std::uint64_t keys) { return counting(keys, GetParam().cell_bits, GetParam().by_lines); }
};

// A multiset of keys 0 .. size-1 beside the filter; every difference that must not be is a failure.
class Model {
 public:
  Model(Filter& filter, std::size_t size) : filter_(filter), counts_(size) {}

  void insert(std::size_t key) {
    ASSERT_TRUE(filter_.insert(nth_hash(key)));
    ++counts_[key];
    ASSERT_TRUE(filter_.may_contain(nth_hash(key)));
  }

  void erase_if_in(std::size_t key) {
    if (counts_[key] == 0) return;
    const auto erased = filter_.erase(nth_hash(key));
    ASSERT_TRUE(erased);
    ASSERT_EQ(*erased, Erased::erased);
    --counts_[key];
    ask(key);
  }

  void ask(std::size_t key) const {
    const auto at_most = filter_.count_at_most(nth_hash(key));
    if (at_most) { ASSERT_GE(*at_most, counts_[key]); }
    if (counts_[key] != 0) { ASSERT_TRUE(filter_.may_contain(nth_hash(key))) << key; }
  }

  void ask_all() const {
    for (std::size_t key = 0; key < counts_.size(); ++key) { ASSERT_NO_FATAL_FAILURE(ask(key)); }
  }

  void erase_all() {
    for (std::size_t key = 0; key < counts_.size(); ++key)
      while (counts_[key] != 0) { ASSERT_NO_FATAL_FAILURE(erase_if_in(key)); }
  }

  bool has(std::size_t key) const { return counts_[key] != 0; }

 private:
  Filter& filter_;
  std::vector<std::uint32_t> counts_;
};

// Law 1 under ten million insertions, erasures and questions: all widths of counters, among which two
// bits saturate at once and sixteen never.
TEST_P(EveryCounter, ForgetsNoKeyThatIsIn) {
  constexpr std::size_t kKeys = 20'000;
  const bool longest = !GetParam().by_lines && (GetParam().cell_bits == 2 || GetParam().cell_bits == 16);
  const int operations = longest ? 10'000'000 : 1'000'000;
  Filter filter = make(kKeys / 2);
  Model model(filter, kKeys);
  std::mt19937_64 random(GetParam().cell_bits * 2 + GetParam().by_lines);
  for (int i = 0; i < operations; ++i) {
    const std::uint64_t draw = random();
    const std::size_t key = draw % kKeys;
    // Waves of growing and shrinking; now and then a key is pushed far past what a counter holds.
    const bool growing = (i / 100'000) % 2 == 0;
    switch ((draw >> 40) % 8) {
      case 0: ASSERT_NO_FATAL_FAILURE(model.ask(key)); break;
      case 1: ASSERT_NO_FATAL_FAILURE(growing ? model.erase_if_in(key) : model.insert(key)); break;
      case 2: ASSERT_NO_FATAL_FAILURE(model.erase_if_in(key % 50)); break;
      case 3: ASSERT_NO_FATAL_FAILURE(model.insert(key % 50)); break;
      default: ASSERT_NO_FATAL_FAILURE(growing ? model.insert(key) : model.erase_if_in(key)); break;
    }
    if (i % 250'000 == 0) { ASSERT_NO_FATAL_FAILURE(model.ask_all()); }
  }
  ASSERT_NO_FATAL_FAILURE(model.ask_all());
  ASSERT_NO_FATAL_FAILURE(model.erase_all());
  if (GetParam().cell_bits == 16) {
    EXPECT_TRUE(filter == make(kKeys / 2)) << "what counts without saturation ends where it began";
    EXPECT_LE(filter.counts().inserted, 200u) << "a key may be fresh, and later not be gone when it is erased";
  }
  if (GetParam().cell_bits == 2) { EXPECT_GT(filter.fill_ratio(), 0.1) << "this run was to saturate counters"; }
}

TEST_P(EveryCounter, CountsAndSaturates) {
  Filter filter = make(1000);
  const std::uint64_t most = (std::uint64_t{1} << GetParam().cell_bits) - 1;
  EXPECT_EQ(filter.count_at_most(nth_hash(1)), 0u);
  for (std::uint64_t i = 1; i < most; ++i) {
    EXPECT_EQ(*filter.insert(nth_hash(1)), i == 1 ? Inserted::fresh : Inserted::repeat);
    ASSERT_EQ(filter.count_at_most(nth_hash(1)), i);
  }
  EXPECT_EQ(filter.counts().inserted, 1u);
  EXPECT_EQ(filter.counts().offered, most - 1);
  auto saturated = filter.clone();
  ASSERT_TRUE(saturated);
  ASSERT_TRUE(saturated->insert(nth_hash(1)));
  EXPECT_EQ(saturated->count_at_most(nth_hash(1)), std::nullopt);
  for (std::uint64_t i = 0; i < 2 * most; ++i) ASSERT_EQ(*saturated->erase(nth_hash(1)), Erased::erased);
  EXPECT_TRUE(saturated->may_contain(nth_hash(1)));
  EXPECT_EQ(saturated->counts().inserted, 1u);
  for (std::uint64_t i = 1; i < most; ++i) ASSERT_EQ(*filter.erase(nth_hash(1)), Erased::erased);
  EXPECT_EQ(*filter.erase(nth_hash(1)), Erased::absent);
  EXPECT_TRUE(filter == make(1000));
  EXPECT_EQ(filter.counts().inserted, 0u);
}

TEST_P(EveryCounter, MergeAddsAndIntersectionKeepsTheLess) {
  Filter a = make(2000), b = make(2000), sum = make(2000);
  for (std::uint64_t i = 0; i < 1500; ++i) ASSERT_TRUE(a.insert(nth_hash(i)) && sum.insert(nth_hash(i)));
  for (std::uint64_t i = 1000; i < 2500; ++i) ASSERT_TRUE(b.insert(nth_hash(i)) && sum.insert(nth_hash(i)));
  auto both = a.clone();
  ASSERT_TRUE(both && both->intersect(b) && a.merge(b));
  EXPECT_TRUE(a == sum);
  for (std::uint64_t i = 1000; i < 1500; ++i) ASSERT_TRUE(both->may_contain(nth_hash(i)));
  for (std::uint64_t i = 1000; i < 1250; ++i) ASSERT_EQ(*both->erase(nth_hash(i)), Erased::erased);
  for (std::uint64_t i = 1250; i < 1500; ++i) ASSERT_TRUE(both->may_contain(nth_hash(i)));
}

TEST_P(EveryCounter, ErasingAnAbsentKeyThatIsAcceptedCanHarmOthers) {
  Filter filter = make(5000);
  constexpr std::uint64_t kKeys = 5000;
  for (std::uint64_t i = 0; i < kKeys; ++i) ASSERT_TRUE(filter.insert(nth_hash(i)));
  auto before = filter.clone();
  ASSERT_TRUE(before);
  std::uint64_t refused = 0, accepted = 0, lost = 0;
  for (std::uint64_t absent = kKeys; absent < 10 * kKeys; ++absent) {
    if (filter.may_contain(nth_hash(absent))) continue;
    ASSERT_EQ(*filter.erase(nth_hash(absent)), Erased::absent);
    ++refused;
  }
  EXPECT_GT(refused, 8 * kKeys);
  EXPECT_TRUE(filter == *before) << "what may_contain rejects is refused, and nothing has changed";
  EXPECT_EQ(filter.counts(), before->counts());
  for (std::uint64_t absent = kKeys; absent < 10 * kKeys; ++absent)
    accepted += *filter.erase(nth_hash(absent)) == Erased::erased;
  for (std::uint64_t i = 0; i < kKeys; ++i) lost += !filter.may_contain(nth_hash(i));
  EXPECT_GT(accepted, 0u);
  EXPECT_GT(lost, 0u) << "the documented harm";
}

TEST_P(EveryCounter, PlainAnswersTheSame) {
  Filter filter = make(3000);
  for (std::uint64_t i = 0; i < 3000; ++i) ASSERT_TRUE(filter.insert(nth_hash(i)));
  auto plain = filter.to_plain();
  ASSERT_TRUE(plain) << plain.error().message;
  EXPECT_EQ(plain->kind(), GetParam().by_lines ? Kind::blocked : Kind::classic);
  for (std::uint64_t i = 0; i < 100'000; ++i)
    ASSERT_EQ(plain->may_contain(nth_hash(i)), filter.may_contain(nth_hash(i))) << i;
  EXPECT_EQ(plain->counts(), filter.counts());
  if (!GetParam().by_lines) {
    EXPECT_EQ(plain->size_bytes(), (filter.segments()[0].shape.cells + 7) / 8);
    EXPECT_EQ(plain->fill_ratio(), filter.fill_ratio());
    EXPECT_EQ(plain->current_fpr(), filter.current_fpr());
  }
  EXPECT_EQ(plain->to_plain().error().code, Errc::not_supported);
}

TEST_P(EveryCounter, TheRateIsThePlannedOne) {
  constexpr std::uint64_t kKeys = 50'000, kAsked = 400'000;
  Filter filter = make(kKeys);
  for (std::uint64_t i = 0; i < kKeys; ++i) ASSERT_TRUE(filter.insert(nth_hash(i)));
  std::uint64_t maybes = 0;
  for (std::uint64_t i = kKeys; i < kKeys + kAsked; ++i) maybes += filter.may_contain(nth_hash(i));
  const double measured = static_cast<double>(maybes) / kAsked;
  EXPECT_LE(filter.expected_fpr(), 0.01);
  EXPECT_NEAR(measured, filter.expected_fpr(), 0.0008);
  EXPECT_NEAR(measured, filter.current_fpr(), 0.0008);
  ASSERT_TRUE(filter.estimated_keys());
  if (!GetParam().by_lines) { EXPECT_NEAR(*filter.estimated_keys(), kKeys, 600); }
}

INSTANTIATE_TEST_SUITE_P(Counters, EveryCounter,
                         testing::Values(Case{2, false}, Case{4, false}, Case{8, false}, Case{16, false}, Case{2, true},
                                         Case{4, true}, Case{8, true}, Case{16, true}),
                         [](const auto& tested) {
                           return std::to_string(tested.param.cell_bits) + (tested.param.by_lines ? "_line" : "_spread");
                         });

TEST(Counting, BatchesOfErasuresAreAsOneByOne) {
  Filter single = counting(500, 4, false), batch = counting(500, 4, false);
  std::vector<Hash> keys;
  for (std::uint64_t i = 0; i < 1200; ++i) keys.push_back(nth_hash(i % 700));  // some three times, some twice
  ASSERT_TRUE(single.insert(std::span<const Hash>(keys).first(700)) && batch.insert(std::span<const Hash>(keys).first(700)));
  bool erased[1200];
  const auto count = batch.erase(std::span<const Hash>(keys), erased);
  ASSERT_TRUE(count);
  std::uint64_t expected = 0;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    const bool is_erased = *single.erase(keys[i]) == Erased::erased;
    ASSERT_EQ(erased[i], is_erased) << i;
    expected += is_erased;
  }
  EXPECT_EQ(*count, expected);
  EXPECT_TRUE(single == batch);
  EXPECT_EQ(single.counts(), batch.counts());
}

TEST(Counting, RefusesWhatItCannotDo) {
  auto plain = Filter::create({.expected_keys = 100});
  ASSERT_TRUE(plain);
  EXPECT_FALSE(plain->can(Filter::Op::erase));
  EXPECT_EQ(plain->erase("x").error().code, Errc::not_supported);
  EXPECT_EQ(plain->count_at_most("x"), std::nullopt);
  Filter filter = counting(100, 4, false);
  EXPECT_TRUE(filter.can(Filter::Op::erase));
  EXPECT_EQ(filter.erase("text").error().code, Errc::not_supported);
  EXPECT_EQ(filter.merge(counting(100, 8, false)).error().message, "bits in a counter differ: 4 and 8");
  EXPECT_EQ(filter.merge(*plain).error().code, Errc::incompatible);
  const auto more = plan({.kind = Kind::counting, .keys = 100, .fpr = 0.01});
  ASSERT_TRUE(more);
  EXPECT_EQ(filter.append_segment(*more).error().code, Errc::not_supported);
  for (const unsigned cell_bits : {0u, 1u, 3u, 5u, 32u}) {
    const auto refused = plan({.kind = Kind::counting, .keys = 100, .fpr = 0.01, .cell_bits = cell_bits});
    ASSERT_FALSE(refused);
    EXPECT_NE(refused.error().message.find("cell_bits"), std::string::npos);
  }
  EXPECT_FALSE(plan({.kind = Kind::blocked, .keys = 100, .fpr = 0.01, .cell_bits = 4}));
  EXPECT_FALSE(plan({.kind = Kind::counting, .keys = 100, .fpr = 0.01, .lines_per_key = 2}));
}

}  // namespace
}  // namespace bloomery
