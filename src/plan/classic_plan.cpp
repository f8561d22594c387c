// The size and the number of probes of a classic filter.
#include <algorithm>
#include <cmath>
#include <functional>

#include "bloomery/layout/classic.hpp"
#include "bloomery/plan.hpp"
#include "plan/models.hpp"
#include "plan/request.hpp"
#include "plan/search.hpp"

namespace bloomery::plan_model {

namespace {

struct ClassicSize {
  std::uint64_t bits;
  unsigned probes;
};

unsigned to_probes(double k) { return static_cast<unsigned>(std::clamp(k, 1.0, double{Classic::kMaxProbes})); }

// The probes at which value(k) is best. Half the bits set is best for a large filter; a small one is best
// with fewer probes, never with more. So start above and go down while that does not hurt.
template <class Value, class Better>
unsigned best_probes(double large_filter_optimum, Value value, Better at_least_as_good) {
  unsigned best = to_probes(std::ceil(large_filter_optimum));
  for (auto best_value = value(best); best > 1; --best) {
    const auto next = value(best - 1);
    if (!at_least_as_good(next, best_value)) break;
    best_value = next;
  }
  return best;
}

// The fewest bits that keep fpr; kMaxBits + 1 if that many do not.
std::uint64_t fewest_bits(std::uint64_t keys, double fpr, unsigned probes) {
  const double guess = std::ceil(static_cast<double>(keys) * formula::bits_per_key_fixed(fpr, probes));
  const auto start = static_cast<std::uint64_t>(std::clamp(guess, 1.0, static_cast<double>(kMaxBits)));
  return least(1, start, kMaxBits + 1, 1, [&](std::uint64_t bits) { return classic_fpr(keys, bits, probes) <= fpr; });
}

std::uint64_t most_keys(std::uint64_t bits, double fpr, unsigned probes) {
  const double guess = static_cast<double>(bits) / formula::bits_per_key_fixed(fpr, probes);
  const auto start = static_cast<std::uint64_t>(std::clamp(guess, 1.0, static_cast<double>(kMaxKeys)));
  return least(1, start, kMaxKeys + 1, 1,
               [&](std::uint64_t keys) { return classic_fpr(keys, bits, probes) > fpr; }) - 1;
}

ClassicSize article_size(const PlanRequest& want) {
  const double keys = static_cast<double>(*want.keys);
  const double bits = std::ceil(formula::optimal_bits(keys, *want.fpr));
  const unsigned probes = want.hashes ? *want.hashes : to_probes(std::round(formula::optimal_hashes(bits, keys)));
  return {static_cast<std::uint64_t>(bits), probes};
}

ClassicSize native_size(const PlanRequest& want) {
  const auto bits_for = [&](unsigned probes) { return fewest_bits(*want.keys, *want.fpr, probes); };
  const unsigned probes =
      want.hashes ? *want.hashes : best_probes(-std::log2(*want.fpr), bits_for, std::less_equal<>());
  return {bits_for(probes), probes};
}

unsigned probes_for_size(const PlanRequest& want, std::uint64_t bits) {
  if (want.hashes) return *want.hashes;
  if (want.keys) {
    const auto rate = [&](unsigned probes) { return classic_fpr(*want.keys, bits, probes); };
    return best_probes(formula::optimal_hashes(static_cast<double>(bits), static_cast<double>(*want.keys)), rate,
                       std::less_equal<>());
  }
  const auto keys_for = [&](unsigned probes) { return most_keys(bits, *want.fpr, probes); };
  return best_probes(-std::log2(*want.fpr), keys_for, std::greater_equal<>());
}

Result<ClassicSize> plan_classic(const PlanRequest& want) {
  if (const auto bits = wanted_bits(want)) return ClassicSize{*bits, probes_for_size(want, *bits)};
  const ClassicSize size = want.article ? article_size(want) : native_size(want);
  if (size.bits <= kMaxBits) return size;
  return invalid("keys at fpr " + in_short(*want.fpr) + " with hashes " + std::to_string(size.probes) +
                 " need more than 2^50 bits: ask for fewer keys, a higher fpr or other hashes");
}

}  // namespace

}  // namespace bloomery::plan_model

namespace bloomery {

Result<Shape> Classic::plan(const PlanRequest& want) {
  if (auto ok = plan_model::check_request(want, {kMaxProbes, 0}); !ok) return ok.error();
  const auto size = plan_model::plan_classic(want);
  if (!size) return size.error();
  return Shape{.kind = kind,
               .rule = want.article ? kArticleRule : kMixedRule,
               .probes = static_cast<std::uint8_t>(size->probes),
               .cells = size->bits};
}

double Classic::fpr(const Shape& s, std::uint64_t keys) noexcept {
  return plan_model::classic_fpr(keys, s.cells, s.probes);
}

}  // namespace bloomery
