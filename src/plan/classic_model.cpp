#include <cmath>

#include "bloomery/plan.hpp"
#include "plan/models.hpp"

namespace bloomery::plan_model {

double corrected_fpr(double keys, double bits, double probes) noexcept {
  if (bits <= 1) return keys > 0 ? 1 : 0;
  const double throws = keys * probes;
  const double clear = std::exp(throws * std::log1p(-1 / bits));          // chance that a given bit is clear
  const double both_clear = std::exp(throws * std::log1p(-2 / bits));     // that two given bits are
  const double fill = -std::expm1(throws * std::log1p(-1 / bits));
  if (fill <= 0) return 0;
  // Variance of the fill: (clear + (m-1) both_clear) / m - clear^2, with the difference of the two nearly
  // equal terms taken exactly: both_clear - clear^2 = clear^2 * expm1(throws * log(1 - 1/(m-1)^2)).
  const double lost = bits > 2 ? std::expm1(throws * std::log1p(-1 / ((bits - 1) * (bits - 1)))) : -1;
  const double variance = (clear - both_clear) / bits + clear * clear * lost;
  const double spread = std::log1p(std::fmax(variance, 0) / (fill * fill));
  return std::fmin(1, std::exp(probes * std::log(fill) + probes * (probes - 1) / 2 * spread));
}

double classic_fpr(std::uint64_t keys, std::uint64_t bits, unsigned probes) noexcept {
  if (bits < kExactBelowBits) return formula::occupancy_fpr(keys, bits, probes);
  return corrected_fpr(static_cast<double>(keys), static_cast<double>(bits), probes);
}

}  // namespace bloomery::plan_model
