// How many distinct lines a file has, about.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "cli/progress.hpp"

namespace cli {

struct Sample {
  std::uint64_t lines = 0;
  double distinct = 0;        // an estimate, never more than lines
  double standard_error = 0;  // of it, relative, at most

  // Two standard errors more than the estimate: enough 39 times in 40. At least 1.
  std::uint64_t keys_to_plan_for() const noexcept;
};

// Reads all of it. Memory: 64 KiB beside the blocks of the input. Errors: Failure, also if there are no lines.
Sample sample_of(const std::vector<std::string>& paths, const ProgressOptions& progress);

}  // namespace cli
