// dedup: the first occurrence of every line, in order, as the lines come.
#include <fmt/format.h>
#include <unistd.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "cli/common.hpp"
#include "cli/hashes.hpp"
#include "cli/input.hpp"
#include "cli/output.hpp"
#include "cli/seen.hpp"
#include "cli/verbs.hpp"

namespace cli {
namespace {

constexpr std::string_view kDetails =
    R"(Prints each line when it comes for the first time, and drops its repeats. Nothing is sorted, and a line
goes out before more input is needed. Lines are any bytes; a last line without a newline gets one.

Without --expected and --fpr it keeps an exact 128-bit fingerprint of every distinct line. With them it
keeps a filter of fixed size, which drops a line wrongly now and then: the summary says how many lines it
expects to have dropped so. No repeat ever passes.

The summary goes to stderr (with --json as JSON), so that stdout holds lines and nothing else.

Examples:
  bloomery dedup urls.txt > unique.txt
  zcat logs/*.gz | bloomery dedup -q
  bloomery dedup --expected 100M --fpr 1e-6 crawl1.txt crawl2.txt > unique.txt
)";

struct Options {
  CommonOptions common;
  HashOptions hash;
  bool progress = false;
  std::optional<std::uint64_t> expected;
  std::optional<double> fpr;
  std::vector<std::string> inputs;
};

struct Summary {
  std::uint64_t lines_in = 0;
  std::uint64_t lines_out = 0;
  double seconds = 0;
  double lines_per_second = 0;
};

SeenSet make_set(const Options& options) {
  if (options.expected.has_value() != options.fpr.has_value())
    throw Failure{options.fpr ? "--fpr: needs --expected N, the number of distinct lines to plan for"
                              : "--expected: needs --fpr RATE, the rate to plan for"};
  const bloomery::Hasher hasher = hasher_from(options.hash);
  return options.fpr ? SeenSet::filter(hasher, *options.expected, *options.fpr) : SeenSet::exact(hasher);
}

void print_fresh(Output& out, std::span<const std::string_view> lines, std::span<const bool> fresh) {
  for (std::size_t i = 0; i < lines.size(); ++i)
    if (fresh[i]) out.line(lines[i]);
}

Summary pass_lines(const Options& options, SeenSet& seen) {
  LineReader reader(options.inputs);
  HashBatch batch(seen.keys().hasher());
  Output out(STDOUT_FILENO);
  Progress progress(options.progress, options.common.quiet);
  std::uint64_t lines_out = 0;
  for (auto lines = reader.next(); !lines.empty(); lines = reader.next()) {
    const auto fresh = batch.answers(lines.size());
    lines_out += seen.insert(batch.of(lines), fresh);
    print_fresh(out, lines, fresh);
    if (!reader.has_buffered_line()) out.flush();
    progress.add(lines.size());
  }
  out.flush();
  return {progress.lines(), lines_out, progress.seconds(), progress.lines_per_second()};
}

Json json_summary(const Summary& summary, const SeenSet& seen) {
  const bloomery::Filter& keys = seen.keys();
  Json json = {{"lines_in", summary.lines_in},
               {"lines_out", summary.lines_out},
               {"lines_dropped", summary.lines_in - summary.lines_out},
               {"method", bloomery::name(keys.kind())},
               {"hash", bloomery::name(keys.hasher().id)},
               {"memory_bytes", keys.memory_bytes()}};
  json["fill_ratio"] = seen.is_exact() ? Json(nullptr) : Json(keys.fill_ratio());
  json["current_fpr"] = keys.current_fpr();
  json["planned_keys"] = seen.is_exact() ? Json(nullptr) : Json(keys.planned_keys());
  json["planned_fpr"] = seen.is_exact() ? Json(nullptr) : Json(keys.planned_fpr());
  json["expected_wrong_drops"] = seen.expected_wrong_drops();
  json["seconds"] = summary.seconds;
  json["lines_per_second"] = summary.lines_per_second;
  return json;
}

std::string text_summary(const Summary& summary, const SeenSet& seen) {
  const bloomery::Filter& keys = seen.keys();
  std::string text = fmt::format("{} lines in, {} out, {} dropped\n", grouped(summary.lines_in),
                                 grouped(summary.lines_out), grouped(summary.lines_in - summary.lines_out));
  text += seen.is_exact()
              ? fmt::format("method: exact fingerprints ({}), {}\n", describe(keys.hasher()),
                            human_bytes(keys.memory_bytes()))
              : fmt::format("method: filter planned for {} keys at {} ({}), {}, {:.1f}% of the bits set\n",
                            grouped(keys.planned_keys()), short_number(keys.planned_fpr()), describe(keys.hasher()),
                            human_bytes(keys.memory_bytes()), 100 * keys.fill_ratio());
  return text + fmt::format("current fpr: {}, expected wrong drops: {}\nspeed: {} lines/s, {:.2f} s",
                            short_number(keys.current_fpr()), short_number(seen.expected_wrong_drops()),
                            grouped(static_cast<std::uint64_t>(summary.lines_per_second)), summary.seconds);
}

int run(const Options& options) {
  SeenSet seen = make_set(options);
  const Summary summary = pass_lines(options, seen);
  if (options.common.json) print_json(STDERR_FILENO, json_summary(summary, seen));
  if (options.common.json || options.common.quiet) return kExitSuccess;
  print_note(text_summary(summary, seen));
  return kExitSuccess;
}

Run add(CLI::App& app) {
  const auto options = std::make_shared<Options>();
  add_count(app, "--expected", options->expected, {1, std::uint64_t{1} << 40}, "Plan a filter for N distinct lines");
  add_rate(app, "--fpr", options->fpr, "... at this false-positive rate");
  add_hash(app, options->hash);
  add_common(app, options->common);
  add_progress(app, options->progress);
  add_inputs(app, options->inputs);
  return [options] { return run(*options); };
}

}  // namespace

constinit const Verb kDedup = {"dedup", "[OPTION]... [INPUT]...", "Print the first occurrence of every line, in order",
                               kDetails, add};

}  // namespace cli
