// erase: lines out of a counting filter.
#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>

#include "cli/common.hpp"
#include "cli/hashes.hpp"
#include "cli/input.hpp"
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

struct Options {
  CommonOptions common;
  bool progress = false;
  std::string key_file;
  std::string filter;
  std::vector<std::string> inputs;
};

struct Summary {
  std::uint64_t lines = 0;
  std::uint64_t erased = 0;
};

Summary erase_lines(const Options& options, bloomery::Filter& filter) {
  LineReader reader(options.inputs);
  HashBatch batch(filter.hasher());
  Progress progress({.forced = options.progress, .quiet = options.common.quiet});
  Summary summary;
  for (auto lines = reader.next(); !lines.empty(); lines = reader.next()) {
    summary.erased += take(filter.erase(batch.of(lines)));
    progress.add(lines.size());
  }
  summary.lines = progress.lines();
  return summary;
}

Json json_summary(const Options& options, const bloomery::Filter& filter, const Summary& summary) {
  return {{"file", options.filter},
          {"lines", summary.lines},
          {"erased", summary.erased},
          {"absent", summary.lines - summary.erased},
          {"keys_inserted", filter.counts().inserted},
          {"current_fpr", filter.current_fpr()}};
}

void require_counting(const bloomery::Filter& filter, const std::string& path) {
  if (filter.kind() == bloomery::Kind::counting) return;
  throw Failure{fmt::format("{}: filters of kind {} cannot erase; build --kind counting makes one that can", path,
                            bloomery::name(filter.kind()))};
}

int run(const Options& options) {
  std::error_code error;
  const auto path = std::filesystem::canonical(options.filter, error);
  if (error) throw system_failure(options.filter, error.value());
  if (is_among(path, options.inputs)) throw Failure{options.filter + ": is the filter and an input at once"};
  require_counting(open_filter(options.filter, options.key_file, bloomery::Load::map), options.filter);
  const bloomery::Lock lock = take(bloomery::Lock::acquire(path));
  bloomery::Filter filter = open_filter(options.filter, options.key_file, bloomery::Load::copy);
  require_line_hasher(filter, options.filter);
  require_counting(filter, options.filter);  // it may have been replaced meanwhile
  const Summary summary = erase_lines(options, filter);
  take(bloomery::save(filter, path));
  if (options.common.json) print_json(STDOUT_FILENO, json_summary(options, filter, summary));
  else if (!options.common.quiet)
    print_note(fmt::format("{}: {} lines, {} erased, {} absent", options.filter, grouped(summary.lines),
                           grouped(summary.erased), grouped(summary.lines - summary.erased)));
  return kExitSuccess;
}

Run add(CLI::App& app) {
  const auto options = std::make_shared<Options>();
  add_key_file(app, options->key_file);
  add_common(app, options->common);
  add_progress(app, options->progress);
  app.add_option("FILE", options->filter, "The filter")->required()->type_name("");
  add_inputs(app, options->inputs);
  return [options] { return run(*options); };
}

}  // namespace

constinit const Verb kErase = {"erase", "[OPTION]... FILE [INPUT]...", "Take lines out of a counting filter", kDetails,
                               add};

}  // namespace cli
