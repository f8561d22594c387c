#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "bloomery/plan.hpp"
#include "plan/measured_test.hpp"
#include "plan/models.hpp"

namespace bloomery {
namespace {

// E[(X/m)^k] over the whole distribution of X, in long double and without a window.
long double plain_occupancy(unsigned throws, unsigned m, unsigned k) {
  std::vector<long double> mass(m + 1, 0);
  mass[0] = 1;
  for (unsigned i = 0; i < throws; ++i)
    for (unsigned x = m + 1; x-- > 0;)
      mass[x] = mass[x] * x / m + (x > 0 ? mass[x - 1] * (m - x + 1) / m : 0);
  long double mean = 0;
  for (unsigned x = 0; x <= m; ++x) mean += mass[x] * std::pow(static_cast<long double>(x) / m, k);
  return mean;
}

TEST(Formula, OptimumForARate) {
  struct Row { double p, hashes, bits_per_key; };
  for (const Row row : {Row{0.1, 3.32, 4.79}, Row{0.01, 6.64, 9.59}, Row{0.001, 9.97, 14.38}}) {
    EXPECT_NEAR(formula::optimal_bits(1, row.p), row.bits_per_key, 0.005);
    EXPECT_NEAR(formula::optimal_hashes(formula::optimal_bits(1, row.p), 1), row.hashes, 0.005);
    EXPECT_NEAR(formula::best_fpr(formula::optimal_bits(1, row.p)), row.p, 1e-12);
  }
  EXPECT_NEAR(formula::best_fpr(1), 0.6185, 0.00005);
}

TEST(Formula, FixedHashesExactAndApproximate) {
  struct Row { double p, k, exact, approximate; };
  for (const Row row : {Row{0.1, 3, 4.81, 5.25}, Row{0.01, 3, 12.36, 12.57}, Row{0.001, 3, 28.47, 28.57},
                        Row{0.0001, 4, 37.96, 38.10}}) {
    EXPECT_NEAR(formula::bits_per_key_fixed(row.p, row.k), row.exact, 0.005);
    EXPECT_NEAR(formula::bits_per_key_fixed_approx(row.p, row.k), row.approximate, 0.005);
    EXPECT_NEAR(formula::textbook_fpr(1, formula::bits_per_key_fixed(row.p, row.k), row.k), row.p, row.p * 1e-9);
  }
  EXPECT_NEAR(formula::bits_per_key_fixed_approx(0.1, 3) / formula::bits_per_key_fixed(0.1, 3), 1.09, 0.005);
}

TEST(Formula, TheOptimalNumberOfHashesIsAMinimum) {
  for (const double bits_per_key : {4.0, 9.585, 14.378, 30.0}) {
    const double best = formula::optimal_hashes(bits_per_key, 1);
    const double least = formula::textbook_fpr(1, bits_per_key, best);
    for (double k = 0.5; k < 3 * best; k += 0.25) EXPECT_GE(formula::textbook_fpr(1, bits_per_key, k), least * (1 - 1e-12));
  }
}

TEST(Formula, OccupancyIsExact) {
  struct Row { unsigned n, m, k; };
  for (const Row row : {Row{1, 1, 1}, Row{1, 58, 40}, Row{2, 123, 34}, Row{5, 50, 6}, Row{20, 194, 7}, Row{64, 3690, 40},
                        Row{300, 100, 3}}) {
    const auto exact = static_cast<double>(plain_occupancy(row.n * row.k, row.m, row.k));
    EXPECT_NEAR(formula::occupancy_fpr(row.n, row.m, row.k) / exact, 1, 1e-9) << row.n << " " << row.m << " " << row.k;
  }
  // Small enough to count by hand: one key, two bits, two throws: both on one bit (1/2) or on both (1/2).
  EXPECT_NEAR(formula::occupancy_fpr(1, 2, 2), 0.5 * 0.25 + 0.5, 1e-15);
  EXPECT_EQ(formula::occupancy_fpr(0, 100, 3), 0);
}

TEST(Formula, TheTextbookFailsForOneKey) {
  const double exact = formula::occupancy_fpr(1, 58, 40), promised = 1e-12;
  EXPECT_EQ(std::ceil(formula::optimal_bits(1, promised)), 58);
  EXPECT_EQ(std::round(formula::optimal_hashes(58, 1)), 40);
  EXPECT_NEAR(exact / promised, 28, 0.5);
  EXPECT_NEAR(exact / formula::textbook_fpr(1, 58, 40), 35, 0.5);
}

TEST(Formula, TheCorrectedRateMeetsTheExactOneWhereItTakesOver) {
  for (const unsigned k : {1u, 2u, 4u, 7u, 10u, 20u, 40u, 60u})
    for (const double load : {0.5, 0.8, 1.0, 1.3, 2.0, 4.0}) {
      const auto n = static_cast<std::uint64_t>(load * 0.693 * 4096 / k);
      if (n == 0) continue;
      const double exact = formula::occupancy_fpr(n, 4096, k);
      const double corrected = plan_model::corrected_fpr(static_cast<double>(n), 4096, k);
      EXPECT_NEAR(corrected / exact, 1, 0.002) << "k " << k << " n " << n;
    }
}

}  // namespace
}  // namespace bloomery
