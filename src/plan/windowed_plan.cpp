// The size of a windowed filter: G + 1 generations, each a blocked filter of its share of the window.
#include <algorithm>
#include <cmath>

#include "bloomery/layout/windowed.hpp"
#include "bloomery/plan.hpp"
#include "plan/models.hpp"
#include "plan/request.hpp"

namespace bloomery {
namespace {

constexpr unsigned kSlots = Windowed::kGenerations + 1;

// Of one generation, so that all together have `fpr`.
double rate_of_one(double fpr) noexcept { return -std::expm1(std::log1p(-fpr) / kSlots); }

}  // namespace

Result<Shape> Windowed::plan(const PlanRequest& want) {
  using plan_model::invalid;
  if (!want.keys) return invalid("keys must be given for kind windowed: the length of the window");
  if (auto ok = plan_model::check_request(want, {Blocked::kMaxProbes, Blocked::kMaxLinesPerKey}); !ok) return ok.error();
  PlanRequest one = want;
  one.kind = Kind::blocked;
  one.keys = (*want.keys + kGenerations - 1) / kGenerations;
  if (want.fpr) one.fpr = rate_of_one(*want.fpr);
  if (want.fpr && *one.fpr < plan_model::kMinFpr)
    return invalid("fpr must be at least 5.1e-18 for kind windowed (got " + plan_model::in_short(*want.fpr) + ")");
  one.bits_per_key.reset();
  if (const auto bits = plan_model::wanted_bits(want)) {
    const std::uint64_t lines = (*bits - std::min(*bits, 8 * kStateBytes)) / (kSlots * Blocked::kLineBits);
    if (lines == 0)
      return invalid("bits must be at least 3072 for kind windowed (got " + std::to_string(*bits) + ")");
    one.bits = lines * Blocked::kLineBits;
    one.fpr.reset();  // plan() itself compares what is achieved
  }
  auto shape = Blocked::plan(one);
  if (!shape) return shape;
  shape->kind = kind;
  shape->param[0] = *want.keys;
  shape->param[1] = kGenerations;
  return shape;
}

// The generations fill one after the other. From a whole window on: right before the oldest is forgotten, all full.
// Those of a window that G does not divide differ by one sighting: all are taken for the longer ones.
double Windowed::fpr(const Shape& s, std::uint64_t sightings) noexcept {
  const std::uint64_t longest = (s.param[0] + s.param[1] - 1) / s.param[1];
  std::uint64_t left = sightings >= s.param[0] ? longest * slots(s) : sightings;
  double log_none = 0;  // of the chance that no generation passes a stranger: rates may be far below 2^-53
  for (unsigned slot = 0; slot < slots(s) && left > 0; ++slot) {
    const std::uint64_t keys = std::min(left, longest);
    log_none += std::log1p(
        -plan_model::blocked_fpr(static_cast<double>(keys), static_cast<double>(s.cells), s.probes, s.lines_per_key));
    left -= keys;
  }
  return -std::expm1(log_none);
}

}  // namespace bloomery
