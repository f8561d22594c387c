#include "plan/request.hpp"

#include <cmath>
#include <cstdio>

namespace bloomery::plan_model {

Error invalid(std::string message) { return {Errc::invalid_argument, std::move(message)}; }

std::string in_short(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.12g", value);
  return text;
}

namespace {

std::string kind_name(Kind kind) { return "kind " + std::string(name(kind)); }

template <class T>
std::string got(T value) {
  if constexpr (std::is_floating_point_v<T>) return " (got " + in_short(value) + ")";
  else return " (got " + std::to_string(value) + ")";
}

Result<void> check_numbers(const PlanRequest& want) {
  if (want.keys && (*want.keys == 0 || *want.keys > kMaxKeys))
    return invalid("keys must be 1..2^40" + got(*want.keys));
  if (want.fpr && !(*want.fpr > 0 && *want.fpr < 1)) return invalid("fpr must be above 0 and below 1" + got(*want.fpr));
  if (want.fpr && *want.fpr < kMinFpr) return invalid("fpr must be at least 1e-18" + got(*want.fpr));
  if (want.bits && (*want.bits == 0 || *want.bits > kMaxBits))
    return invalid("bits must be 1..2^50" + got(*want.bits));
  if (want.bits_per_key && !(*want.bits_per_key > 0 && std::isfinite(*want.bits_per_key)))
    return invalid("bits_per_key must be above 0 and finite" + got(*want.bits_per_key));
  if (want.bits_per_key && want.keys &&
      *want.bits_per_key * static_cast<double>(*want.keys) > static_cast<double>(kMaxBits))
    return invalid("bits_per_key x keys must be at most 2^50 bits" + got(*want.bits_per_key));
  return {};
}

Result<void> check_kind_numbers(const PlanRequest& want, const Limits& limits) {
  if (want.hashes && (*want.hashes == 0 || *want.hashes > limits.max_hashes))
    return invalid("hashes must be 1.." + std::to_string(limits.max_hashes) + " for " + kind_name(want.kind) +
                   got(*want.hashes));
  if (want.cell_bits && !limits.has_cell_bits)
    return invalid("cell_bits cannot be chosen for " + kind_name(want.kind));
  if (want.lines_per_key && limits.max_lines_per_key == 0)
    return invalid("lines_per_key is for kinds blocked and counting only, and the kind here is " + std::string(name(want.kind)));
  if (want.lines_per_key && (*want.lines_per_key == 0 || *want.lines_per_key > limits.max_lines_per_key))
    return invalid("lines_per_key must be 1.." + std::to_string(limits.max_lines_per_key) + " for " +
                   kind_name(want.kind) + got(*want.lines_per_key));
  if (want.article && want.kind != Kind::classic)
    return invalid("article plans are for kind classic only, and the kind here is " + std::string(name(want.kind)));
  return {};
}

Result<void> check_sufficient(const PlanRequest& want) {
  if (want.bits && want.bits_per_key) return invalid("bits and bits_per_key were both given: keep one");
  if (want.bits_per_key && !want.keys) return invalid("bits_per_key needs keys as well");
  const bool sized = want.bits || want.bits_per_key;
  if (want.keys && (want.fpr || sized)) return {};
  if (want.bits && (want.fpr || want.hashes)) return {};
  if (want.keys) return invalid("keys alone do not make a plan: give fpr, bits or bits_per_key as well");
  if (want.bits) return invalid("bits alone do not make a plan: give keys, fpr or hashes as well");
  if (want.fpr) return invalid("fpr alone does not make a plan: give keys or bits as well");
  return invalid("nothing to plan from: give keys and fpr, or keys and bits");
}

}  // namespace

Result<void> check_request(const PlanRequest& want, const Limits& limits) {
  if (auto ok = check_numbers(want); !ok) return ok;
  if (auto ok = check_kind_numbers(want, limits); !ok) return ok;
  return check_sufficient(want);
}

std::optional<std::uint64_t> wanted_bits(const PlanRequest& want) noexcept {
  if (want.bits) return want.bits;
  if (!want.bits_per_key) return std::nullopt;
  return static_cast<std::uint64_t>(std::ceil(*want.bits_per_key * static_cast<double>(*want.keys)));
}

}  // namespace bloomery::plan_model
