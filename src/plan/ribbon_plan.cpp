#include <array>
#include <numeric>

#include "bloomery/layout/ribbon.hpp"
#include "plan/request.hpp"
#include "plan/static_plan.hpp"

namespace bloomery {

Result<Shape> Ribbon::plan(const PlanRequest& want) {
  static constexpr auto kWidths = [] {
    std::array<unsigned, kMaxCellBits> widths{};
    std::iota(widths.begin(), widths.end(), 1u);
    return widths;
  }();
  if (want.hashes) return plan_model::invalid("hashes cannot be chosen for kind ribbon");
  if (auto ok = plan_model::check_request(want, {1, 0, true}); !ok) return ok.error();
  return plan_model::plan_static(want, {kind, kWidths, "1..32", 0, sized, size_bits});
}

double Ribbon::fpr(const Shape& s, std::uint64_t keys) noexcept { return plan_model::static_fpr(s.cell_bits, keys); }

}  // namespace bloomery
