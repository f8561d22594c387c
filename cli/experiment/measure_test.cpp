#include "cli/experiment/measure.hpp"

#include <gtest/gtest.h>

#include <set>

namespace cli::experiment {
namespace {

TEST(EverySubject, HasEveryKindOnce) {
  std::set<std::string> names;
  for (const Subject& subject : every_subject()) EXPECT_TRUE(names.insert(subject.name).second) << subject.name;
  for (const char* name : {"classic", "blocked", "exact", "counting", "fuse", "ribbon", "growing"})
    EXPECT_TRUE(names.contains(name)) << name;
}

TEST(Measure, CountsWhatItIsToldTo) {
  Random random(1);
  const Measured m = measure(classic_subject(), *plan_of(classic_subject(), 100, 0.1), 100, {20, 500}, random);
  EXPECT_EQ(m.filters, 20U);
  EXPECT_EQ(m.probes, 10'000U);
  EXPECT_TRUE(m.interval.low < m.rate && m.rate < m.interval.high);
  EXPECT_LT(m.trials, 10'000);  // filters of 100 keys differ
  EXPECT_TRUE(m.wide(1e-9).holds(m.predicted));
}

// A filter that takes half as many keys again as it was planned for is outside, and one as planned is not.
TEST(CheckRate, NoticesAWrongRate) {
  for (const Subject& subject : {classic_subject(), every_subject().at(1)}) {
    Random random(2);
    Measured m = measure(subject, *plan_of(subject, 2000, 0.05), 2000, {30, 5000}, random);
    Study study;
    check_rate(study, "right", m, {});
    EXPECT_TRUE(study.outside.empty()) << study.outside.front();
    m.predicted = bloomery::expected_fpr(plan_of(subject, 2000, 0.05)->shape, 3000);
    check_rate(study, "wrong", m, {});
    ASSERT_EQ(study.outside.size(), 1U);
    EXPECT_TRUE(study.outside[0].starts_with("wrong: measured 0.0")) << study.outside[0];
  }
}

TEST(Random, RepeatsItself) {
  Random a(7), b(7), c(8);
  const Item first = random_item(a);
  EXPECT_EQ(first, random_item(b));
  EXPECT_NE(first, random_item(c));
  EXPECT_EQ(text(first).find_first_not_of("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"),
            std::string_view::npos);
}

}  // namespace
}  // namespace cli::experiment
