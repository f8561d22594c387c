// insert: lines into a filter that exists.
#include <fmt/format.h>
#include <unistd.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "cli/changing.hpp"
#include "cli/verbs.hpp"

namespace cli {
namespace {

constexpr std::string_view kDetails =
    R"(Adds lines to a filter. The file is locked (by FILE.lock) and loaded, and replaced in one step when all
lines are in: whoever reads it sees the old filter or the new one, and when insert is stopped the old one
stays. Past the planned number of keys a filter still takes lines, but its rate rises: that is warned of.

Examples:
  bloomery insert seen.blm today.txt
  bloomery insert --json seen.blm today.txt yesterday.txt
)";

void require_takes_keys(const bloomery::Filter& filter, const std::string& path) {
  if (filter.kind() != bloomery::Kind::fuse && filter.kind() != bloomery::Kind::ribbon) return;
  throw Failure{fmt::format("{}: filters of kind {} take no more keys", path, bloomery::name(filter.kind()))};
}

bloomery::Result<std::uint64_t> insert(bloomery::Filter& filter, std::span<const bloomery::Hash> keys) {
  return filter.insert(keys);
}

Json json_summary(const ChangeOptions& options, const bloomery::Filter& filter, const ChangeSummary& summary) {
  return {{"file", options.filter},
          {"lines", summary.lines},
          {"fresh", summary.changed},
          {"repeats", summary.lines - summary.changed},
          {"keys_inserted", filter.counts().inserted},
          {"planned_keys", filter.planned_keys()},
          {"planned_fpr", filter.planned_fpr()},
          {"current_fpr", filter.current_fpr()}};
}

void report(const ChangeOptions& options, const bloomery::Filter& filter, const ChangeSummary& summary) {
  if (options.common.json) print_json(STDOUT_FILENO, json_summary(options, filter, summary));
  if (options.common.quiet) return;
  if (!options.common.json)
    print_note(fmt::format("{}: {} lines, {} fresh, {} repeats", options.filter, grouped(summary.lines),
                           grouped(summary.changed), grouped(summary.lines - summary.changed)));
  warn_past_plan(filter, options.filter);
}

Run add(CLI::App& app) {
  const auto options = std::make_shared<ChangeOptions>();
  add_change(app, *options);
  return [options] { return run_change(*options, {require_takes_keys, insert, report}); };
}

}  // namespace

constinit const Verb kInsert = {"insert", "[OPTION]... FILE [INPUT]...", "Add lines to a filter", kDetails, add};

}  // namespace cli
