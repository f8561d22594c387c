// How large the next segment of a growing filter is, and how strict.
#include "bloomery/growth.hpp"

#include <algorithm>
#include <cmath>

#include "bloomery/layout/blocked.hpp"
#include "plan/request.hpp"

namespace bloomery {
namespace {

constexpr double kLeastMemory = 2, kMostMemory = 64;
constexpr std::uint64_t kLeastKeys = 64;      // a filter of fewer is a line or two, whatever is planned
constexpr std::uint64_t kLeastGrowth = 4;     // a segment holds at least a quarter of the keys that there are
constexpr std::uint64_t kMostBytes = plan_model::kMaxBits / 8;

double rate_of(const Growth& growth, std::uint64_t segment) noexcept {
  const auto i = static_cast<double>(segment);
  return growth.fpr / ((i + 1) * (i + 2));
}

double size_of(std::span<const Shape> segments) noexcept {
  double sum = 0;
  for (const Shape& s : segments) sum += static_cast<double>(Blocked::size_bytes(s));
  return sum;
}

// The lines of the last group, if it may have another way; else 0.
std::uint64_t lines_of_open_group(std::span<const Shape> segments) noexcept {
  if (segments.empty()) return 0;
  const std::uint64_t lines = segments.back().cells;
  const auto other = std::find_if(segments.rbegin(), segments.rend(), [&](const Shape& s) { return s.cells != lines; });
  return static_cast<std::size_t>(other - segments.rbegin()) % kMostWays == 0 ? 0 : lines;
}

// A few lines less, so that a segment can be folded (bloomery/shrink.hpp).
std::uint64_t divisible(std::uint64_t lines) noexcept {
  constexpr std::uint64_t kFolds = 64;
  return lines < kFolds * kFolds ? lines : lines - lines % kFolds;
}

}  // namespace

Result<void> check(const Growth& growth) {
  using plan_model::in_short, plan_model::invalid;
  if (!(growth.fpr >= 1e-12 && growth.fpr < 1))
    return invalid("fpr of a growing filter must be at least 1e-12 and below 1 (got " + in_short(growth.fpr) + ")");
  if (growth.remember_keys > plan_model::kMaxKeys)
    return invalid("remember_keys must be 0..2^40 (got " + std::to_string(growth.remember_keys) + ")");
  if (!(growth.most_memory >= kLeastMemory && growth.most_memory <= kMostMemory))
    return invalid("most_memory must be 2..64 (got " + in_short(growth.most_memory) + ")");
  return {};
}

Result<Plan> plan_segment(const Growth& growth, std::span<const Shape> before, std::uint64_t keys) {
  if (auto checked = check(growth); !checked) return checked.error();
  const std::uint64_t present = std::clamp(keys, kLeastKeys, plan_model::kMaxKeys);
  const auto fixed = plan({.keys = present, .fpr = growth.fpr});
  if (!fixed) return fixed.error();
  const double most_bytes = std::max(static_cast<double>(first_bytes(growth.remember_keys)),
                                     growth.most_memory * static_cast<double>(fixed->size_bytes));
  const double room = std::floor((most_bytes - size_of(before)) / Blocked::kLineBytes);
  const double fpr = rate_of(growth, before.size());
  if (const std::uint64_t lines = lines_of_open_group(before); lines > 0 && static_cast<double>(lines) <= room)
    return plan({.fpr = fpr, .bits = lines * Blocked::kLineBits});
  const double lines = std::clamp(room, 1.0, static_cast<double>(kMostBytes / Blocked::kLineBytes));
  auto next = plan({.fpr = fpr, .bits = divisible(static_cast<std::uint64_t>(lines)) * Blocked::kLineBits});
  const std::uint64_t least = std::max(present / kLeastGrowth, kLeastKeys / 4);
  if (!next || next->keys < least) return plan({.keys = least, .fpr = fpr});
  return next;
}

}  // namespace bloomery
