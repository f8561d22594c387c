#include <cmath>

#include "bloomery/layout/exact.hpp"
#include "plan/request.hpp"

namespace bloomery {

Result<Shape> Exact::plan(const PlanRequest& want) {
  const char* unused = want.bits            ? "bits"
                       : want.bits_per_key  ? "bits_per_key"
                       : want.hashes        ? "hashes"
                       : want.lines_per_key ? "lines_per_key"
                       : want.cell_bits     ? "cell_bits"
                       : want.article       ? "article"
                                            : nullptr;
  if (unused != nullptr)
    return plan_model::invalid(std::string(unused) + " cannot be chosen for kind exact: it keeps 128 bits of every key");
  PlanRequest checked = want;
  checked.keys = want.keys.value_or(0) == 0 ? 1 : *want.keys;  // it grows: no number of keys is needed
  checked.fpr = want.fpr.value_or(0.5);
  if (auto ok = plan_model::check_request(checked, {1, 0}); !ok) return ok.error();
  return Shape{.kind = kind, .cell_bits = 128, .cells = want.keys.value_or(0)};
}

double Exact::fpr(const Shape&, std::uint64_t keys) noexcept { return std::ldexp(static_cast<double>(keys), -128); }

}  // namespace bloomery
