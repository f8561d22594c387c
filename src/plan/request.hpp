// Is a PlanRequest sufficient, in range and free of contradiction?
#pragma once
#include <cstdint>
#include <string>

#include "bloomery/plan.hpp"

namespace bloomery::plan_model {

inline constexpr std::uint64_t kMaxKeys = std::uint64_t{1} << 40;
inline constexpr std::uint64_t kMaxBits = std::uint64_t{1} << 50;
inline constexpr double kMinFpr = 1e-18;

struct Limits {
  unsigned max_hashes;
  unsigned max_lines_per_key;  // 0: the kind has no lines
  bool has_cell_bits = false;
};

// Errors: invalid_argument, one line that a command line can print as it is.
Result<void> check_request(const PlanRequest& want, const Limits& limits);

// bits, or bits_per_key * keys rounded up; no value if neither was given. REQUIRES: check_request().
std::optional<std::uint64_t> wanted_bits(const PlanRequest& want) noexcept;

Error invalid(std::string message);
std::string in_short(double value);  // as printf's %g

}  // namespace bloomery::plan_model
