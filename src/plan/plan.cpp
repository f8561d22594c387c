// Planning over the list of layouts.
#include "bloomery/plan.hpp"

#include <cmath>
#include <string>

#include "layout/layouts.hpp"
#include "plan/request.hpp"
#include "plan/search.hpp"

namespace bloomery {

namespace {

// The most keys that keep the rate of this shape at or below fpr; 0 if even one key breaks it.
std::uint64_t most_keys(const Shape& shape, double fpr) {
  const auto breaks = [&](std::uint64_t keys) { return expected_fpr(shape, keys) > fpr; };
  return plan_model::least(1, 1, plan_model::kMaxKeys + 1, 1, breaks) - 1;
}

// Two keys with one hash cannot be told apart. One line per key reads 64 bits of it, a classic step is odd.
double hash_width_floor(const Shape& shape, std::uint64_t keys) {
  const bool one_word = (shape.kind == Kind::blocked && shape.lines_per_key == 1) ||
                        (shape.kind == Kind::counting && shape.rule == Counting::kLineRule) ||
                        shape.kind == Kind::fuse || shape.kind == Kind::ribbon ||
                        (shape.kind == Kind::windowed && shape.lines_per_key == 1);
  if (one_word) return std::ldexp(static_cast<double>(keys), -64);
  const bool odd_step = shape.kind == Kind::classic || shape.kind == Kind::counting;
  return std::ldexp(static_cast<double>(keys), odd_step ? -127 : -128);
}

template <class L>
Result<Plan> plan_as(const PlanRequest& want) {
  auto shape = L::plan(want);
  if (!shape) return shape.error();
  Plan plan{.shape = *shape, .keys = want.keys.value_or(0), .asked_fpr = want.fpr.value_or(0)};
  if (want.bits && want.fpr && !want.keys) {
    plan.keys = most_keys(*shape, *want.fpr);
    if (plan.keys == 0)
      return plan_model::invalid("bits are too few: not even one key keeps fpr " + plan_model::in_short(*want.fpr) +
                                 " in " + std::to_string(*want.bits) + " bits");
  }
  plan.size_bytes = L::size_bytes(*shape);
  if (plan.keys == 0) return plan;
  plan.fpr = L::fpr(*shape, plan.keys);
  plan.bits_per_key = static_cast<double>(L::size_bits(*shape)) / static_cast<double>(plan.keys);
  plan.fpr_floor = hash_width_floor(*shape, plan.keys);
  const bool sized = want.bits || want.bits_per_key;
  if (sized && want.fpr && plan.fpr > *want.fpr)
    return plan_model::invalid("keys, fpr and size contradict each other: " + std::to_string(plan.keys) + " keys in " +
                               std::to_string(L::size_bits(*shape)) + " bits have fpr " +
                               plan_model::in_short(plan.fpr) + " at best: leave one out");
  return plan;
}

}  // namespace

Result<Plan> plan(const PlanRequest& want) {
  Result<Plan> result = plan_model::invalid("kind is unknown (got " +
                                            std::to_string(static_cast<unsigned>(want.kind)) + ")");
  visit_layout(want.kind, [&]<class L>(L) { result = plan_as<L>(want); });
  return result;
}

double expected_fpr(const Shape& shape, std::uint64_t keys) noexcept {
  return with_layout<double>(shape.kind, [&]<class L>(L) { return L::fpr(shape, keys); });
}

std::optional<double> estimated_keys(const Shape& shape, double fill_ratio) noexcept {
  if (shape.kind == Kind::exact) return static_cast<double>(shape.cells);
  const bool silent = shape.kind == Kind::fuse || shape.kind == Kind::ribbon || shape.kind == Kind::windowed;
  if (silent) return std::nullopt;  // the bits do not say (windowed: a key may be in several generations)
  if (fill_ratio >= 1) return std::nullopt;
  const double bits = with_layout<double>(shape.kind, [&]<class L>(L) { return static_cast<double>(L::size_bits(shape)); });
  const double cells = bits / shape.cell_bits;  // a counter above zero is as good as a bit
  return -cells / (shape.probes * shape.lines_per_key) * std::log1p(-fill_ratio);
}

}  // namespace bloomery
