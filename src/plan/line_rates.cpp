#include "plan/line_rates.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "bloomery/layout/blocked.hpp"
#include "plan/tables.hpp"

namespace bloomery::plan_model {

namespace {

// For a set T of bits, one in each of some words: miss = the chance that one pattern sets none of T.
// Sets with equal chances are taken together; weight = the sum of their signs, averaged over patterns.
struct Term {
  long double miss;
  long double weight;
};

struct Terms {
  std::array<Term, 256> list;
  std::size_t count = 0;

  void add(long double miss, long double weight) noexcept {
    for (std::size_t i = 0; i < count; ++i)
      if (std::fabs(list[i].miss - miss) < 1e-15L) {
        list[i].weight += weight;
        return;
      }
    list[count++] = {miss, weight};
  }
};

// The average over the table of (1 - 1/cells)^(words of T that the entry takes).
long double chance_to_miss(const Blocked::Subsets& subsets, unsigned words, unsigned word_cells) noexcept {
  const long double miss = 1 - 1.0L / word_cells;
  long double sum = 0;
  for (const unsigned subset : subsets) sum += std::pow(miss, std::popcount(subset & words));
  return sum / static_cast<long double>(subsets.size());
}

Terms inclusion_exclusion(unsigned probes, unsigned word_cells) noexcept {
  const Blocked::Subsets& subsets = Blocked::subsets(probes);
  Terms terms;
  for (unsigned words = 0; words < 256; ++words) {
    const auto covering = std::count_if(subsets.begin(), subsets.end(),
                                        [&](unsigned subset) { return (subset & words) == words; });
    if (covering == 0) continue;
    const long double share = static_cast<long double>(covering) / static_cast<long double>(subsets.size());
    terms.add(chance_to_miss(subsets, words, word_cells), std::popcount(words) % 2 == 0 ? share : -share);
  }
  return terms;
}

}  // namespace

LineRates::LineRates(unsigned probes, unsigned word_cells) noexcept {
  if (probes == Blocked::kMaxProbes) {  // words are independent: a power, without cancellation
    for (std::size_t j = 0; j < rates_.size(); ++j)
      rates_[j] = std::pow(-std::expm1(static_cast<double>(j) * std::log1p(-1.0 / word_cells)), probes);
    return;
  }
  const Terms terms = inclusion_exclusion(probes, word_cells);
  std::array<long double, 256> powers;
  powers.fill(1);
  for (double& rate : rates_) {
    long double sum = 0;
    for (std::size_t i = 0; i < terms.count; ++i) {
      sum += terms.list[i].weight * powers[i];
      powers[i] *= terms.list[i].miss;
    }
    rate = std::clamp(static_cast<double>(sum), 0.0, 1.0);
  }
  rates_[0] = 0;
}

const LineRates& LineRates::of(unsigned probes, unsigned word_cells) noexcept {
  using Make = decltype([](auto i) -> const LineRates& {
    static const LineRates rates(i % Blocked::kMaxProbes + 1, 64u >> i / Blocked::kMaxProbes);
    return rates;
  });
  const auto halvings = static_cast<unsigned>(std::countr_zero(64 / word_cells));
  return one_of<LineRates, 5 * Blocked::kMaxProbes, Make>(halvings * Blocked::kMaxProbes + probes - 1);
}

}  // namespace bloomery::plan_model
