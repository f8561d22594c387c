// The size, the lines per key and the probes per line of a blocked filter.
#include <algorithm>
#include <cmath>

#include "bloomery/layout/blocked.hpp"
#include "bloomery/plan.hpp"
#include "plan/models.hpp"
#include "plan/request.hpp"
#include "plan/search.hpp"

namespace bloomery::plan_model {

namespace {

constexpr std::uint64_t kLineBits = Blocked::kLineBits;
constexpr std::uint64_t kMaxLines = kMaxBits / kLineBits;
constexpr double kAllowedCost = 1.10;  // in bits over classic's optimum, to be paid for touching fewer lines

struct BlockedSize {
  std::uint64_t lines;
  unsigned probes;
  unsigned lines_per_key;
};

struct Choice {  // the numbers that may be tried: one only if it was given
  unsigned first, last;
};

Choice choice(std::optional<unsigned> given, unsigned most) { return given ? Choice{*given, *given} : Choice{1, most}; }

// The number from `range` with the least cost; the first of them if several have it.
template <class Cost>
unsigned cheapest(Choice range, Cost cost) {
  unsigned best = range.first;
  auto best_cost = cost(best);
  for (unsigned i = range.first + 1; i <= range.last; ++i)
    if (const auto next = cost(i); next < best_cost) best = i, best_cost = next;
  return best;
}

class BlockedPlanner {
 public:
  explicit BlockedPlanner(const PlanRequest& want)
      : want_(want), probes_(choice(want.hashes, Blocked::kMaxProbes)), lines_(choice(want.lines_per_key, Blocked::kMaxLinesPerKey)) {}

  Result<BlockedSize> solve() const {
    if (const auto bits = wanted_bits(want_)) return for_size((*bits + kLineBits - 1) / kLineBits);
    // In a large filter the first candidate is the smallest; a small one may be as small with fewer lines per key.
    unsigned r = lines_per_key_at(*want_.fpr);
    std::uint64_t lines = fewest_lines(r, kMaxLines + 1);
    for (unsigned fewer = lines_.first; fewer < r; ++fewer)
      if (keeps_rate(lines, fewer)) lines = fewest_lines(fewer, lines), r = fewer;
    if (lines <= kMaxLines) return BlockedSize{lines, best_probes(lines, r), r};
    return invalid("keys at fpr " + in_short(*want_.fpr) + " with " + std::to_string(r) +
                   " lines_per_key need more than 2^50 bits, or a wider hash: ask for fewer keys, a higher fpr or more "
                   "lines_per_key");
  }

 private:
  double rate(double keys, std::uint64_t lines, unsigned k, unsigned r) const {
    return blocked_fpr(keys, static_cast<double>(lines), k, r);
  }

  // The fewest lines per key that keep fpr in a large filter at the allowed cost. It depends on fpr alone,
  // and so the size grows steadily with the number of keys.
  unsigned lines_per_key_at(double fpr) const {
    const double bits_per_key = kAllowedCost * formula::optimal_bits(1, fpr);
    const auto best_rate = [&](unsigned r) {
      const double load = r * static_cast<double>(kLineBits) / bits_per_key;
      double best = 1;
      for (unsigned k = probes_.first; k <= probes_.last; ++k) best = std::min(best, large_blocked_fpr(load, k, r));
      return best;
    };
    for (unsigned r = lines_.first; r <= lines_.last; ++r)
      if (best_rate(r) <= fpr) return r;
    return cheapest(lines_, best_rate);
  }

  bool keeps_rate(std::uint64_t lines, unsigned r) const {
    const double keys = static_cast<double>(*want_.keys);
    for (unsigned k = probes_.last; k >= probes_.first; --k)
      if (apart_blocked_fpr(keys, static_cast<double>(lines), k, r) <= *want_.fpr &&
          rate(keys, lines, k, r) <= *want_.fpr)
        return true;
    return false;
  }

  // The fewest lines that keep the asked rate; `most` if fewer do not.
  std::uint64_t fewest_lines(unsigned r, std::uint64_t most) const {
    const double bits = kAllowedCost * formula::optimal_bits(static_cast<double>(*want_.keys), *want_.fpr);
    const double guess = std::clamp(std::ceil(bits / static_cast<double>(kLineBits)), 1.0, static_cast<double>(most));
    const auto start = static_cast<std::uint64_t>(guess);
    return least(1, start, most, 1 + start / 64, [&](std::uint64_t lines) { return keeps_rate(lines, r); });
  }

  unsigned best_probes(std::uint64_t lines, unsigned r) const {
    const double keys = static_cast<double>(*want_.keys);
    return cheapest(probes_, [&](unsigned k) { return rate(keys, lines, k, r); });
  }

  std::uint64_t most_keys(std::uint64_t lines, unsigned k, unsigned r) const {
    return least(1, 1, kMaxKeys + 1, 1, [&](std::uint64_t keys) {
             return rate(static_cast<double>(keys), lines, k, r) > *want_.fpr;
           }) - 1;
  }

  BlockedSize for_size(std::uint64_t lines) const {
    if (want_.keys) return for_keys_in(lines);
    if (!want_.fpr) return {lines, *want_.hashes, lines_.first};
    BlockedSize best{lines, probes_.first, lines_.first};
    std::uint64_t best_keys = 0;
    for (unsigned r = lines_.first; r <= lines_per_key_at(*want_.fpr); ++r)
      for (unsigned k = probes_.first; k <= probes_.last; ++k)
        if (const std::uint64_t keys = most_keys(lines, k, r); keys > best_keys)
          best = {lines, k, r}, best_keys = keys;
    return best;
  }

  // The fewest lines per key as good as classic at the allowed cost; else the best there is.
  BlockedSize for_keys_in(std::uint64_t lines) const {
    const double keys = static_cast<double>(*want_.keys);
    const double bits_per_key = static_cast<double>(lines * kLineBits) / keys;
    const double good = std::max(kMinFpr, formula::best_fpr(bits_per_key / kAllowedCost));
    const auto best_rate = [&](unsigned r) { return rate(keys, lines, best_probes(lines, r), r); };
    unsigned r = lines_.first;
    while (r < lines_.last && best_rate(r) > good) ++r;
    if (best_rate(r) > good) r = cheapest(lines_, best_rate);
    return {lines, best_probes(lines, r), r};
  }

  const PlanRequest& want_;
  Choice probes_, lines_;
};

}  // namespace

}  // namespace bloomery::plan_model

namespace bloomery {

Result<Shape> Blocked::plan(const PlanRequest& want) {
  if (auto ok = plan_model::check_request(want, {kMaxProbes, kMaxLinesPerKey}); !ok) return ok.error();
  const auto size = plan_model::BlockedPlanner(want).solve();
  if (!size) return size.error();
  return Shape{.kind = kind,
               .probes = static_cast<std::uint8_t>(size->probes),
               .lines_per_key = static_cast<std::uint8_t>(size->lines_per_key),
               .cells = size->lines};
}

double Blocked::fpr(const Shape& s, std::uint64_t keys) noexcept {
  return plan_model::blocked_fpr(static_cast<double>(keys), static_cast<double>(s.cells), s.probes, s.lines_per_key);
}

}  // namespace bloomery
