// check: which lines may be in the filter, and which certainly are not.
#include <unistd.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "cli/common.hpp"
#include "cli/hashes.hpp"
#include "cli/in_order.hpp"
#include "cli/input.hpp"
#include "cli/output.hpp"
#include "cli/sigbus.hpp"
#include "cli/verbs.hpp"

namespace cli {
namespace {

constexpr std::string_view kDetails =
    R"(Prints the lines that may be in the filter: all that are, and of the others about one in 1 / fpr.
In their order, whatever -j is. With -v the lines that certainly are not. With -k a field is asked for, and
its whole line printed. A large filter is mapped, not read.
Exit code, as grep's: 0 if a line was selected, 1 if none was, 2 on an error.

Examples:
  bloomery check blocked.blm addresses.txt
  bloomery check -k 2 --delimiter , customers.blm orders.csv
  bloomery check -v seen.blm < crawl.txt > certainly_new.txt
  if echo "$domain" | bloomery check -q blocked.blm; then echo "probably blocked"; fi
)";

struct Options {
  CommonOptions common;
  bool invert = false;
  bool count = false;
  bool progress = false;
  FieldOptions field;
  std::string key_file;
  std::optional<std::uint64_t> threads;
  std::string filter;
  std::vector<std::string> inputs;
};

struct Tally {
  std::uint64_t lines = 0;
  std::uint64_t selected = 0;
};

// Prints what is selected if there is an output.
Tally select_lines(const Options& options, const bloomery::Filter& filter, Output* out) {
  struct Slot {
    HashBatch batch;
    std::uint64_t maybes = 0;
  };
  const auto threads = static_cast<unsigned>(options.threads.value_or(1));
  std::vector<Slot> slots;
  for (unsigned t = 0; t < threads; ++t) slots.push_back({HashBatch(filter.hasher(), field_from(options.field))});
  LineReader reader(options.inputs);
  Progress progress({.forced = options.progress, .quiet = options.common.quiet, .prints_lines = out != nullptr});
  Tally tally;
  InOrder in_order(reader);
  in_order.run(
      threads,
      [&](unsigned t, auto lines) {
        Slot& slot = slots[t];
        slot.maybes = filter.may_contain(slot.batch.of(lines), slot.batch.answers(lines.size()));
      },
      [&](unsigned t, auto lines, bool more) {
        const auto maybe = slots[t].batch.answers(lines.size());
        tally.lines += lines.size();
        progress.add(lines.size(), in_order.share_read());
        tally.selected += options.invert ? lines.size() - slots[t].maybes : slots[t].maybes;
        if (out == nullptr) return;
        for (std::size_t i = 0; i < lines.size(); ++i)
          if (maybe[i] != options.invert) out->line(lines[i]);
        if (!more) out->flush();
      });
  if (out != nullptr) out->flush();
  return tally;
}

// Reads on until one selected line settles it.
Tally find_one(const Options& options, const bloomery::Filter& filter) {
  LineReader reader(options.inputs);
  HashBatch batch(filter.hasher(), field_from(options.field));
  Tally tally;
  for (auto lines = reader.next(); !lines.empty() && tally.selected == 0; lines = reader.next()) {
    const std::uint64_t maybes = filter.may_contain(batch.of(lines), batch.answers(lines.size()));
    tally.lines += lines.size();
    tally.selected += options.invert ? lines.size() - maybes : maybes;
  }
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
  const Tally tally =
      options.common.quiet ? find_one(options, filter) : select_lines(options, filter, options.count ? nullptr : &out);
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
  add_field(app, options->field);
  add_threads(app, options->threads);
  add_key_file(app, options->key_file);
  add_common(app, options->common);
  add_progress(app, options->progress);
  app.add_option("FILE", options->filter, "The filter")->required()->type_name("");
  add_inputs(app, options->inputs);
  return [options] { return run(*options); };
}

}  // namespace

constinit const Verb kCheck = {"check", "[OPTION]... FILE [INPUT]...", "Print the lines that may be in a filter",
                               kDetails, add};

}  // namespace cli
