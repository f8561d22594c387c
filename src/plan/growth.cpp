// How large the next segment of a growing filter is, and how strict.
#include "bloomery/growth.hpp"

#include <algorithm>
#include <cmath>

#include "bloomery/layout/blocked.hpp"
#include "plan/request.hpp"

namespace bloomery {
namespace {

constexpr double kLeastMemory = 3.4, kMostMemory = 64;
constexpr std::uint64_t kLeastKeys = 64;      // a filter of fewer is a line or two, whatever is planned
constexpr std::uint64_t kLeastGrowth = 4;     // a segment holds at least a quarter of the keys that there are
constexpr std::uint64_t kMostBytes = plan_model::kMaxBits / 8;

double rate_of(const Growth& growth, std::uint64_t segment) noexcept {
  const auto i = static_cast<double>(segment);
  return growth.fpr / ((i + 1) * (i + 2));
}

}  // namespace

Result<void> check(const Growth& growth) {
  using plan_model::in_short, plan_model::invalid;
  if (!(growth.fpr >= 1e-12 && growth.fpr < 1))
    return invalid("fpr of a growing filter must be at least 1e-12 and below 1 (got " + in_short(growth.fpr) + ")");
  if (growth.remember_keys > plan_model::kMaxKeys)
    return invalid("remember_keys must be 0..2^40 (got " + std::to_string(growth.remember_keys) + ")");
  if (!(growth.most_memory >= kLeastMemory && growth.most_memory <= kMostMemory))
    return invalid("most_memory must be 3.4..64 (got " + in_short(growth.most_memory) + ")");
  return {};
}

Result<Plan> plan_segment(const Growth& growth, std::uint64_t segments, std::uint64_t size_bytes, std::uint64_t keys) {
  if (auto checked = check(growth); !checked) return checked.error();
  const std::uint64_t present = std::clamp(keys, kLeastKeys, plan_model::kMaxKeys);
  const auto fixed = plan({.keys = present, .fpr = growth.fpr});
  if (!fixed) return fixed.error();
  const double fpr = rate_of(growth, segments);
  const double room = growth.most_memory * static_cast<double>(fixed->size_bytes) - static_cast<double>(size_bytes);
  const double lines = std::clamp(std::floor(room / Blocked::kLineBytes), 1.0,
                                  static_cast<double>(kMostBytes / Blocked::kLineBytes));
  auto next = plan({.fpr = fpr, .bits = static_cast<std::uint64_t>(lines) * Blocked::kLineBits});
  const std::uint64_t least = std::max(present / kLeastGrowth, kLeastKeys / 4);
  if (!next || next->keys < least) return plan({.keys = least, .fpr = fpr});
  return next;
}

}  // namespace bloomery
