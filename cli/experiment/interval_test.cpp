#include "cli/experiment/interval.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace cli::experiment {
namespace {

// P(X >= hits) for X binomial, term by term.
double upper_tail(unsigned hits, unsigned trials, double rate) {
  double sum = 0;
  for (unsigned i = hits; i <= trials; ++i)
    sum += std::exp(std::lgamma(trials + 1) - std::lgamma(i + 1) - std::lgamma(trials - i + 1) + i * std::log(rate) +
                    (trials - i) * std::log1p(-rate));
  return sum;
}

TEST(IncompleteBeta, IsTheTailOfTheBinomial) {
  for (const unsigned trials : {1u, 7u, 100u, 3000u})
    for (const double rate : {1e-6, 0.01, 0.3, 0.5, 0.9})
      for (const unsigned hits : {1u, trials / 3 + 1, trials}) {
        const double expected = upper_tail(hits, trials, rate);
        EXPECT_NEAR(incomplete_beta(rate, hits, trials - hits + 1.0), expected, 1e-9 * expected + 1e-13)
            << hits << " of " << trials << " at " << rate;
      }
}

TEST(ClopperPearson, LeavesHalfTheErrorOnEitherSide) {
  for (const double error : {0.05, 1e-8})
    for (const unsigned hits : {1u, 13u, 400u, 999u}) {
      const Interval interval = clopper_pearson(hits, 1000, error);
      EXPECT_NEAR(upper_tail(hits, 1000, interval.low) / (error / 2), 1, 1e-5) << hits;
      EXPECT_NEAR(1 - upper_tail(hits + 1, 1000, interval.high), error / 2, 1e-5 * error + 1e-12) << hits;
    }
}

// The ends that have a closed form.
TEST(ClopperPearson, OfNothingAndOfAll) {
  const Interval none = clopper_pearson(0, 50, 0.05), all = clopper_pearson(50, 50, 0.05);
  EXPECT_EQ(none.low, 0);
  EXPECT_NEAR(none.high, 1 - std::pow(0.025, 1.0 / 50), 1e-8);
  EXPECT_NEAR(all.low, std::pow(0.025, 1.0 / 50), 1e-8);
  EXPECT_EQ(all.high, 1);
}

TEST(ClopperPearson, WorksForLargeSamples) {
  const Interval interval = clopper_pearson(1e6, 1e8, 0.05);
  const double deviation = 1.96 * std::sqrt(0.01 * 0.99 / 1e8);
  EXPECT_NEAR(interval.low, 0.01 - deviation, 0.01 * deviation);
  EXPECT_NEAR(interval.high, 0.01 + deviation, 0.01 * deviation);
}

}  // namespace
}  // namespace cli::experiment
