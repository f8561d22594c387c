#include "bloomery/layout/fuse.hpp"
#include "plan/request.hpp"
#include "plan/static_plan.hpp"

namespace bloomery {

Result<Shape> Fuse::plan(const PlanRequest& want) {
  static constexpr unsigned kWidths[] = {8, 16, 32};
  if (auto ok = plan_model::check_request(want, {kMaxProbes, 0, true}); !ok) return ok.error();
  const unsigned probes = want.hashes.value_or(kMinProbes);
  if (probes < kMinProbes)
    return plan_model::invalid("hashes must be 3 or 4 for kind fuse (got " + std::to_string(probes) + ")");
  return plan_model::plan_static(want, {kind, kWidths, "8, 16 or 32", probes, sized, size_bits});
}

double Fuse::fpr(const Shape& s, std::uint64_t keys) noexcept { return plan_model::static_fpr(s.cell_bits, keys); }

}  // namespace bloomery
