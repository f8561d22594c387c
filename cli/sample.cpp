#include "cli/sample.hpp"

#include <algorithm>
#include <cmath>

#include "cli/hashes.hpp"
#include "cli/hyperloglog.hpp"
#include "cli/input.hpp"
#include "cli/report.hpp"

namespace cli {

std::uint64_t Sample::keys_to_plan_for() const noexcept {
  const double enough = std::ceil(distinct * (1 + 2 * standard_error));
  return std::clamp<std::uint64_t>(static_cast<std::uint64_t>(enough), 1, std::max<std::uint64_t>(1, lines));
}

Sample sample_of(const std::vector<std::string>& paths, const ProgressOptions& options) {
  LineReader reader(paths);
  HashBatch batch{bloomery::Hasher{}};
  HyperLogLog sketch;
  Progress progress(options);
  for (auto lines = reader.next(); !lines.empty(); lines = reader.next()) {
    for (const bloomery::Hash& hash : batch.of(lines)) sketch.add(hash.lo);
    progress.add(lines.size(), reader.share_read());
  }
  if (progress.lines() == 0) throw Failure{"--sample: has no lines, so there is nothing to plan for"};
  return {.lines = progress.lines(),
          .distinct = std::min(sketch.estimate(), static_cast<double>(progress.lines())),
          .standard_error = HyperLogLog::kStandardError};
}

}  // namespace cli
