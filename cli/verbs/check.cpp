// check: which lines may be in the filter, and which certainly are not.
#include <unistd.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "cli/common.hpp"
#include "cli/hashes.hpp"
#include "cli/input.hpp"
#include "cli/output.hpp"
#include "cli/sigbus.hpp"
#include "cli/verbs.hpp"

namespace cli {
namespace {

constexpr std::string_view kDetails =
    R"(Prints the lines that may be in the filter: all that are, and of the others about one in 1 / fpr.
With -v the lines that certainly are not. A large filter is mapped, not read.
Exit code, as grep's: 0 if a line was selected, 1 if none was, 2 on an error.

Examples:
  bloomery check blocked.blm addresses.txt
  bloomery check -v seen.blm < crawl.txt > certainly_new.txt
  if echo "$domain" | bloomery check -q blocked.blm; then echo "probably blocked"; fi
)";

struct Options {
  CommonOptions common;
  bool invert = false;
  bool count = false;
  std::string key_file;
  std::string filter;
  std::vector<std::string> inputs;
};

struct Tally {
  std::uint64_t lines = 0;
  std::uint64_t selected = 0;
};

// Prints what is selected if there is an output; stops early if one selected line settles it.
Tally select_lines(const Options& options, const bloomery::Filter& filter, Output* out) {
  LineReader reader(options.inputs);
  HashBatch batch(filter.hasher());
  Tally tally;
  for (auto lines = reader.next(); !lines.empty(); lines = reader.next()) {
    const auto maybe = batch.answers(lines.size());
    const std::uint64_t maybes = filter.may_contain(batch.of(lines), maybe);
    tally.lines += lines.size();
    tally.selected += options.invert ? lines.size() - maybes : maybes;
    if (options.common.quiet && tally.selected > 0) return tally;
    if (out == nullptr) continue;
    for (std::size_t i = 0; i < lines.size(); ++i)
      if (maybe[i] != options.invert) out->line(lines[i]);
    if (!reader.has_buffered_line()) out->flush();
  }
  if (out != nullptr) out->flush();
  return tally;
}

Json json_summary(const Options& options, const bloomery::Filter& filter, const Tally& tally) {
  const std::uint64_t maybes = options.invert ? tally.lines - tally.selected : tally.selected;
  return {{"file", options.filter},
          {"lines", tally.lines},
          {"maybe", maybes},
          {"certainly_not", tally.lines - maybes},
          {"current_fpr", filter.current_fpr()}};
}

int run(const Options& options) {
  name_mapped_file(options.filter);
  const bloomery::Filter filter = open_filter(options.filter, options.key_file, bloomery::Load::map);
  require_line_hasher(filter, options.filter);
  Output out(STDOUT_FILENO);
  const bool prints = !options.common.quiet && !options.count;
  const Tally tally = select_lines(options, filter, prints ? &out : nullptr);
  if (options.common.json)
    print_json(options.count ? STDOUT_FILENO : STDERR_FILENO, json_summary(options, filter, tally));
  else if (options.count && !options.common.quiet)
    print_text(STDOUT_FILENO, std::to_string(tally.selected));
  return tally.selected > 0 ? kExitSuccess : kExitNoMatch;
}

Run add(CLI::App& app) {
  const auto options = std::make_shared<Options>();
  app.add_flag("-v,--invert", options->invert, "Select the lines that certainly are not in the filter");
  app.add_flag("-c,--count", options->count, "Print only how many lines are selected");
  add_key_file(app, options->key_file);
  add_common(app, options->common);
  app.add_option("FILE", options->filter, "The filter")->required()->type_name("");
  add_inputs(app, options->inputs);
  return [options] { return run(*options); };
}

}  // namespace

constinit const Verb kCheck = {"check", "[OPTION]... FILE [INPUT]...", "Print the lines that may be in a filter",
                               kDetails, add};

}  // namespace cli
