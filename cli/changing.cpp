#include "cli/changing.hpp"

#include <filesystem>

#include "cli/hashes.hpp"
#include "cli/input.hpp"
#include "cli/verbs.hpp"

namespace cli {
namespace {

// The name that every process locks, however it came to the file. Errors: Failure
std::filesystem::path real_path(const std::string& path) {
  std::error_code error;
  const auto real = std::filesystem::canonical(path, error);
  if (error) throw system_failure(path, error.value());
  return real;
}

bloomery::Filter open_checked(const ChangeOptions& options, const Change& change, bloomery::Load load) {
  bloomery::Filter filter = open_filter(options.filter, options.key_file, load);
  require_line_hasher(filter, options.filter);
  change.require(filter, options.filter);
  return filter;
}

ChangeSummary change_lines(const ChangeOptions& options, const Change& change, bloomery::Filter& filter) {
  LineReader reader(options.inputs);
  HashBatch batch(filter.hasher(), field_from(options.field));
  Progress progress({.forced = options.progress, .quiet = options.common.quiet});
  ChangeSummary summary;
  for (auto lines = reader.next(); !lines.empty(); lines = reader.next()) {
    summary.changed += take(change.apply(filter, batch.of(lines)));
    progress.add(lines.size(), reader.share_read());
  }
  summary.lines = progress.lines();
  return summary;
}

}  // namespace

void add_change(CLI::App& app, ChangeOptions& to) {
  add_field(app, to.field);
  add_key_file(app, to.key_file);
  add_common(app, to.common);
  add_progress(app, to.progress);
  app.add_option("FILE", to.filter, "The filter")->required()->type_name("");
  add_inputs(app, to.inputs);
}

int run_change(const ChangeOptions& options, const Change& change) {
  const std::filesystem::path path = real_path(options.filter);
  if (is_among(path, options.inputs)) throw Failure{options.filter + ": is the filter and an input at once"};
  open_checked(options, change, bloomery::Load::map);  // what cannot be changed gets no lock file
  const bloomery::Lock lock = take(bloomery::Lock::acquire(path));
  bloomery::Filter filter = open_checked(options, change, bloomery::Load::copy);
  const ChangeSummary summary = change_lines(options, change, filter);
  take(bloomery::save(filter, path));
  change.report(options, filter, summary);
  return kExitSuccess;
}

}  // namespace cli
