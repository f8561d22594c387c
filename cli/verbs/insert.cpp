// insert: lines into a filter that exists.
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
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
    R"(Adds lines to a filter. The file is locked (by FILE.lock) and loaded, and replaced in one step when all
lines are in: whoever reads it sees the old filter or the new one, and when insert is stopped the old one
stays. Past the planned number of keys a filter still takes lines, but its rate rises: that is warned of.

Examples:
  bloomery insert seen.blm today.txt
  bloomery insert --json seen.blm today.txt yesterday.txt
)";

struct Options {
  CommonOptions common;
  bool progress = false;
  FieldOptions field;
  std::string key_file;
  std::string filter;
  std::vector<std::string> inputs;
};

struct Summary {
  std::uint64_t lines = 0;
  std::uint64_t fresh = 0;
};

// The name that every process locks, however it came to the file. Errors: Failure
std::filesystem::path real_path(const std::string& path) {
  std::error_code error;
  const auto real = std::filesystem::canonical(path, error);
  if (error) throw system_failure(path, error.value());
  return real;
}

Summary insert_lines(const Options& options, bloomery::Filter& filter) {
  LineReader reader(options.inputs);
  HashBatch batch(filter.hasher(), field_from(options.field));
  Progress progress({.forced = options.progress, .quiet = options.common.quiet});
  Summary summary;
  for (auto lines = reader.next(); !lines.empty(); lines = reader.next()) {
    summary.fresh += take(filter.insert(batch.of(lines)));
    progress.add(lines.size(), reader.share_read());
  }
  summary.lines = progress.lines();
  return summary;
}

Json json_summary(const Options& options, const bloomery::Filter& filter, const Summary& summary) {
  return {{"file", options.filter},
          {"lines", summary.lines},
          {"fresh", summary.fresh},
          {"repeats", summary.lines - summary.fresh},
          {"keys_inserted", filter.counts().inserted},
          {"planned_keys", filter.planned_keys()},
          {"planned_fpr", filter.planned_fpr()},
          {"current_fpr", filter.current_fpr()}};
}

int run(const Options& options) {
  const std::filesystem::path path = real_path(options.filter);
  if (is_among(path, options.inputs)) throw Failure{options.filter + ": is the filter and an input at once"};
  open_filter(options.filter, options.key_file, bloomery::Load::map);  // what is no filter gets no lock file
  const bloomery::Lock lock = take(bloomery::Lock::acquire(path));
  bloomery::Filter filter = open_filter(options.filter, options.key_file, bloomery::Load::copy);
  require_line_hasher(filter, options.filter);
  if (!filter.can(bloomery::Filter::Op::insert_string))
    throw Failure{
        fmt::format("{}: filters of kind {} take no more keys", options.filter, bloomery::name(filter.kind()))};
  const Summary summary = insert_lines(options, filter);
  take(bloomery::save(filter, path));
  if (options.common.json) print_json(STDOUT_FILENO, json_summary(options, filter, summary));
  if (options.common.quiet) return kExitSuccess;
  if (!options.common.json)
    print_note(fmt::format("{}: {} lines, {} fresh, {} repeats", options.filter, grouped(summary.lines),
                           grouped(summary.fresh), grouped(summary.lines - summary.fresh)));
  warn_past_plan(filter, options.filter);
  return kExitSuccess;
}

Run add(CLI::App& app) {
  const auto options = std::make_shared<Options>();
  add_field(app, options->field);
  add_key_file(app, options->key_file);
  add_common(app, options->common);
  add_progress(app, options->progress);
  app.add_option("FILE", options->filter, "The filter")->required()->type_name("");
  add_inputs(app, options->inputs);
  return [options] { return run(*options); };
}

}  // namespace

constinit const Verb kInsert = {"insert", "[OPTION]... FILE [INPUT]...", "Add lines to a filter", kDetails, add};

}  // namespace cli
