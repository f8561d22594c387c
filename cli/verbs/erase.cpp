// erase: lines out of a counting filter.
#include <fmt/format.h>
#include <unistd.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "cli/changing.hpp"
#include "cli/verbs.hpp"

namespace cli {
namespace {

constexpr std::string_view kDetails =
    R"(Takes lines out of a counting filter (build --kind counting), each once: a line that was put in twice is still
in. The file is locked, loaded, and replaced in one step when all is done, as insert does.

Erase only what is in. A line that the filter certainly does not have is counted as absent, and nothing changes;
but one that was never put in and that the filter takes for one that was (at its false-positive rate) takes away
from others, which may be lost: no counting filter can tell. A counter that reached its maximum stays.

Examples:
  bloomery build -o live.blm --kind counting --expected 1M users.txt
  bloomery erase live.blm left_today.txt
)";

void require_counting(const bloomery::Filter& filter, const std::string& path) {
  if (filter.kind() == bloomery::Kind::counting) return;
  throw Failure{fmt::format("{}: filters of kind {} cannot erase; build --kind counting makes one that can", path,
                            bloomery::name(filter.kind()))};
}

bloomery::Result<std::uint64_t> erase(bloomery::Filter& filter, std::span<const bloomery::Hash> keys) {
  return filter.erase(keys);
}

Json json_summary(const ChangeOptions& options, const bloomery::Filter& filter, const ChangeSummary& summary) {
  return {{"file", options.filter},
          {"lines", summary.lines},
          {"erased", summary.changed},
          {"absent", summary.lines - summary.changed},
          {"keys_inserted", filter.counts().inserted},
          {"current_fpr", filter.current_fpr()}};
}

void report(const ChangeOptions& options, const bloomery::Filter& filter, const ChangeSummary& summary) {
  if (options.common.json) print_json(STDOUT_FILENO, json_summary(options, filter, summary));
  else if (!options.common.quiet)
    print_note(fmt::format("{}: {} lines, {} erased, {} absent", options.filter, grouped(summary.lines),
                           grouped(summary.changed), grouped(summary.lines - summary.changed)));
}

Run add(CLI::App& app) {
  const auto options = std::make_shared<ChangeOptions>();
  add_change(app, *options);
  return [options] { return run_change(*options, {require_counting, erase, report}); };
}

}  // namespace

constinit const Verb kErase = {"erase", "[OPTION]... FILE [INPUT]...", "Take lines out of a counting filter", kDetails,
                               add};

}  // namespace cli
