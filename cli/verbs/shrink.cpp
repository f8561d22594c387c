// shrink: a smaller filter of the same lines.
#include <fmt/format.h>
#include <unistd.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "bloomery/shrink.hpp"
#include "cli/common.hpp"
#include "cli/sigbus.hpp"
#include "cli/verbs.hpp"

namespace cli {
namespace {

using bloomery::Filter;

constexpr std::string_view kDetails =
    R"(Folds a filter (kind classic or blocked) to a part of its size: half, unless --by says otherwise. All lines are
still found, more others pass: the rate at the planned number of lines is stated. The result is bit for bit the
filter that would have been built with that size, so filters can be merged whose sizes differ by such a factor.
--by must divide the number of bits (blocked: of lines; see info).

--plain takes the counters away from a counting filter, to ship it: a quarter of the size, the same answers (of
the same size if each line has its counters in one cache line).

Examples:
  bloomery shrink -o half.blm seen.blm
  bloomery shrink --plain -o shipped.blm live.blm
)";

struct Options {
  CommonOptions common;
  bool plain = false;
  std::optional<std::uint64_t> by;
  std::string output, input;
};

Json json_summary(const Options& options, const Filter& before, const Filter& after) {
  return {{"file", options.output},
          {"kind", bloomery::name(after.kind())},
          {"size_bytes_before", before.size_bytes()},
          {"size_bytes", after.size_bytes()},
          {"planned_keys", after.planned_keys()},
          {"planned_fpr_before", before.planned_fpr()},
          {"planned_fpr", after.planned_fpr()},
          {"current_fpr_before", before.current_fpr()},
          {"current_fpr", after.current_fpr()}};
}

std::string text_summary(const Options& options, const Filter& before, const Filter& after) {
  return fmt::format("{}: {}, {} of {}, fpr now {} (was {}), {} at {} planned keys", options.output,
                     bloomery::name(after.kind()), human_bytes(after.size_bytes()), human_bytes(before.size_bytes()),
                     short_number(after.current_fpr()), short_number(before.current_fpr()),
                     short_number(after.planned_fpr()), grouped(after.planned_keys()));
}

int run(const Options& options) {
  if (options.plain && options.by) throw Failure{"--by: with --plain the size follows; shrink its result"};
  refuse_terminal(options.output);
  name_mapped_file(options.input);
  const Filter before = take(bloomery::open(options.input, {.without_key = true}));
  const auto after = options.plain ? before.to_plain() : bloomery::shrink(before, options.by.value_or(2));
  if (!after) throw Failure{fmt::format("{}: {}", options.input, after.error().message)};
  store(*after, options.output);
  const int json_fd = options.output == "-" ? STDERR_FILENO : STDOUT_FILENO;
  if (options.common.json) print_json(json_fd, json_summary(options, before, *after));
  else if (!options.common.quiet) print_note(text_summary(options, before, *after));
  return kExitSuccess;
}

Run add(CLI::App& app) {
  const auto options = std::make_shared<Options>();
  app.add_option("-o,--output", options->output, "The filter to write; -: standard output")
      ->required()
      ->type_name("FILE");
  add_count(app, "--by", options->by, {2, std::uint64_t{1} << 50}, "How many times smaller (default 2)");
  app.add_flag("--plain", options->plain, "Bits in place of counters");
  add_common(app, options->common);
  app.add_option("FILE", options->input, "The filter")->required()->type_name("");
  return [options] { return run(*options); };
}

}  // namespace

constinit const Verb kShrink = {"shrink", "-o OUT|- [OPTION]... FILE", "Make a smaller filter of the same lines", kDetails,
                                add};

}  // namespace cli
