// The number of counters of a counting filter, and of a key.
#include <algorithm>
#include <bit>
#include <cmath>

#include "bloomery/layout/counting.hpp"
#include "bloomery/plan.hpp"
#include "plan/models.hpp"
#include "plan/request.hpp"
#include "plan/search.hpp"

namespace bloomery {

namespace {

constexpr std::uint64_t kLineBits = Blocked::kLineBits;
constexpr std::uint64_t kMaxLines = plan_model::kMaxBits / kLineBits;

// Counters of a key in one cache line.
class LinePlanner {
 public:
  LinePlanner(const PlanRequest& want, unsigned cell_bits) : want_(want), word_cells_(64 / cell_bits) {
    if (want.hashes) first_ = last_ = *want.hashes;
  }

  struct Size {
    std::uint64_t lines;
    unsigned probes;
  };

  Result<Size> solve() const {
    if (const auto bits = plan_model::wanted_bits(want_)) {
      const std::uint64_t lines = (*bits + kLineBits - 1) / kLineBits;
      if (first_ == last_) return Size{lines, first_};
      return Size{lines, want_.keys ? best_probes(lines) : probes_for_most_keys(lines)};
    }
    const std::uint64_t lines = fewest_lines();
    if (lines <= kMaxLines) return Size{lines, best_probes(lines)};
    return plan_model::invalid("keys at fpr " + plan_model::in_short(*want_.fpr) +
                               " need more than 2^50 bits, or a wider hash, with all counters of a key in one line: "
                               "ask for fewer keys, a higher fpr or leave lines_per_key out");
  }

 private:
  double rate(double keys, std::uint64_t lines, unsigned probes) const {
    return plan_model::counting_line_fpr(keys, static_cast<double>(lines), probes, word_cells_);
  }

  std::uint64_t fewest_lines() const {
    const double keys = static_cast<double>(*want_.keys);
    const double guess = std::ceil(formula::optimal_bits(keys, *want_.fpr) / (8 * word_cells_));
    const auto start = static_cast<std::uint64_t>(std::clamp(guess, 1.0, static_cast<double>(kMaxLines)));
    return plan_model::least(1, start, kMaxLines + 1, 1 + start / 64, [&](std::uint64_t lines) {
      return rate(keys, lines, best_probes(lines)) <= *want_.fpr;
    });
  }

  unsigned best_probes(std::uint64_t lines) const {
    const double keys = static_cast<double>(*want_.keys);
    unsigned best = first_;
    for (unsigned k = first_ + 1; k <= last_; ++k)
      if (rate(keys, lines, k) < rate(keys, lines, best)) best = k;
    return best;
  }

  std::uint64_t most_keys(std::uint64_t lines, unsigned probes) const {
    return plan_model::least(1, 1, plan_model::kMaxKeys + 1, 1, [&](std::uint64_t keys) {
             return rate(static_cast<double>(keys), lines, probes) > *want_.fpr;
           }) - 1;
  }

  unsigned probes_for_most_keys(std::uint64_t lines) const {
    unsigned best = first_;
    for (unsigned k = first_ + 1; k <= last_; ++k)
      if (most_keys(lines, k) > most_keys(lines, best)) best = k;
    return best;
  }

  const PlanRequest& want_;
  unsigned word_cells_;
  unsigned first_ = 1, last_ = Blocked::kMaxProbes;
};

Result<Shape> plan_lines(const PlanRequest& want, unsigned cell_bits) {
  const auto size = LinePlanner(want, cell_bits).solve();
  if (!size) return size.error();
  return Shape{.kind = Kind::counting,
               .rule = Counting::kLineRule,
               .probes = static_cast<std::uint8_t>(size->probes),
               .cell_bits = static_cast<std::uint8_t>(cell_bits),
               .cells = size->lines * (kLineBits / cell_bits)};
}

// The classic filter with a counter for each bit.
Result<Shape> plan_spread(const PlanRequest& want, unsigned cell_bits) {
  PlanRequest bits = want;
  bits.kind = Kind::classic;
  bits.cell_bits = bits.lines_per_key = std::nullopt;
  if (const auto wanted = plan_model::wanted_bits(want)) {
    bits.bits = std::max<std::uint64_t>(1, *wanted / cell_bits);
    bits.bits_per_key = std::nullopt;
  }
  auto shape = Classic::plan(bits);
  if (!shape) return shape;
  if (shape->cells > Counting::kMaxCells || shape->cells * cell_bits > plan_model::kMaxBits)
    return plan_model::invalid("keys at this fpr need more than 2^50 bits of counters: ask for fewer keys or a higher fpr");
  shape->kind = Kind::counting;
  shape->rule = Counting::kSpreadRule;
  shape->cell_bits = static_cast<std::uint8_t>(cell_bits);
  shape->probes = std::min<std::uint8_t>(shape->probes, Counting::kMaxProbes);
  return shape;
}

}  // namespace

Result<Shape> Counting::plan(const PlanRequest& want) {
  const unsigned cell_bits = want.cell_bits.value_or(4);
  if (cell_bits < 2 || cell_bits > 16 || !std::has_single_bit(cell_bits))
    return plan_model::invalid("cell_bits must be 2, 4, 8 or 16 for kind counting (got " + std::to_string(cell_bits) + ")");
  const bool by_lines = want.lines_per_key.has_value();
  const plan_model::Limits limits{by_lines ? Blocked::kMaxProbes : kMaxProbes, 1, true};
  if (auto ok = plan_model::check_request(want, limits); !ok) return ok.error();
  return by_lines ? plan_lines(want, cell_bits) : plan_spread(want, cell_bits);
}

double Counting::fpr(const Shape& s, std::uint64_t keys) noexcept {
  if (s.rule == kSpreadRule) return plan_model::classic_fpr(keys, s.cells, s.probes);
  return plan_model::counting_line_fpr(static_cast<double>(keys), static_cast<double>(lines(s)), s.probes,
                                       64u / s.cell_bits);
}

}  // namespace bloomery
