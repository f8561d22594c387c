#include "plan/static_plan.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "plan/request.hpp"

namespace bloomery::plan_model {

Result<Shape> plan_static(const PlanRequest& want, const StaticKind& kind) {
  const std::string of_kind = " for kind " + std::string(name(kind.kind));
  if (!want.keys) return invalid("keys must be given" + of_kind + ": it is built once, for all of them");
  if (want.cell_bits && std::count(kind.widths.begin(), kind.widths.end(), *want.cell_bits) == 0)
    return invalid("cell_bits must be " + std::string(kind.width_range) + of_kind + " (got " +
                   std::to_string(*want.cell_bits) + ")");
  const auto shape_with = [&](unsigned bits) {
    const Shape s{.kind = kind.kind,
                  .probes = static_cast<std::uint8_t>(kind.probes),
                  .cell_bits = static_cast<std::uint8_t>(bits)};
    return kind.sized(s, *want.keys);
  };
  const auto room = wanted_bits(want);
  std::optional<unsigned> chosen = want.cell_bits;
  if (room && !chosen) {
    for (const unsigned bits : kind.widths)
      if (kind.size_bits(shape_with(bits)) <= *room) chosen = bits;
    if (!chosen)
      return invalid("bits are too few" + of_kind + ": " + std::to_string(*want.keys) + " keys take at least " +
                     std::to_string(kind.size_bits(shape_with(kind.widths.front()))));
  }
  if (!chosen) {
    const auto keeps = [&](unsigned bits) { return std::ldexp(1.0, -static_cast<int>(bits)) <= *want.fpr; };
    const auto found = std::find_if(kind.widths.begin(), kind.widths.end(), keeps);
    if (found == kind.widths.end())
      return invalid("fpr must be at least 2^-" + std::to_string(kind.widths.back()) + of_kind + " (got " +
                     in_short(*want.fpr) + ")");
    chosen = *found;
  }
  if (want.fpr && std::ldexp(1.0, -static_cast<int>(*chosen)) > *want.fpr)
    return invalid("fpr " + in_short(*want.fpr) + " needs more than the " + std::to_string(*chosen) +
                   " bits of a fingerprint that were asked for" + of_kind);
  return shape_with(*chosen);
}

double static_fpr(unsigned bits, std::uint64_t keys) noexcept {
  if (keys == 0) return 0;
  const double rate = std::ldexp(1.0, -static_cast<int>(bits)), same_word = std::ldexp(static_cast<double>(keys), -64);
  return same_word < rate / 1000 ? rate : rate + same_word;
}

}  // namespace bloomery::plan_model
