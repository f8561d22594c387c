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
double Windowed::fpr(const Shape& s, std::uint64_t sightings) noexcept {
  const double whole = static_cast<double>(s.param[0]) / static_cast<double>(s.param[1]);
  double left = static_cast<double>(sightings), none = 1;
  if (sightings >= s.param[0]) left = whole * slots(s);
  for (unsigned slot = 0; slot < slots(s) && left > 0; ++slot, left -= whole)
    none *= 1 - plan_model::blocked_fpr(std::min(left, whole), static_cast<double>(s.cells), s.probes, s.lines_per_key);
  return 1 - none;
}

}  // namespace bloomery
