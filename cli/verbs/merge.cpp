// merge: one filter from several.
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "cli/common.hpp"
#include "cli/sigbus.hpp"
#include "cli/verbs.hpp"

namespace cli {
namespace {

using bloomery::Filter;
using bloomery::Kind;
using bloomery::Load;
using bloomery::Shape;

constexpr std::string_view kDetails =
    R"(The union holds exactly the bits of the filter built from all the inputs' lines: every line of every input
is found in it. The filters must have the same kind, size and hash: build them with the same --expected, --fpr
and hash options, --expected being what all have together. How many keys are in is then estimated from the
bits (kind exact: counted).

--intersect keeps the bits that all have: every line that is in all the inputs is found, and some others too. A
line that is in some of the inputs only passes at about the rate of those it is not in, a line in none at no
more than the least of the rates. A filter built from the common lines alone would be wrong less often.
For kind exact the intersection is exact.

OUT may be one of the inputs: it is replaced in one step, and is locked (by OUT.lock) meanwhile. A single input
is copied. Secret keys are not needed; with --key-file, each input must have been made with that key.

Examples:
  bloomery merge -o week.blm mon.blm tue.blm wed.blm
  bloomery merge -o seen.blm seen.blm today.blm
  bloomery merge --intersect -o both.blm a.blm b.blm
)";

struct Options {
  CommonOptions common;
  bool intersect = false;
  std::string key_file;
  std::string output;
  std::vector<std::string> inputs;
};

Filter open_input(const Options& options, const std::string& path, Load load) {
  if (!options.key_file.empty()) return open_filter(path, options.key_file, load);
  return take(bloomery::open(path, {.load = load, .without_key = true}));
}

// Whoever updates a filter holds its lock; what is no filter yet has none.
std::optional<bloomery::Lock> lock_output(const std::string& path) {
  std::error_code error;
  if (path == "-" || !std::filesystem::is_regular_file(path, error)) return std::nullopt;
  const auto real = std::filesystem::canonical(path, error);
  if (error || !bloomery::open(real, {.without_key = true})) return std::nullopt;
  return take(bloomery::Lock::acquire(real));
}

struct Named {
  const std::string& path;
  const Filter& filter;
};

[[noreturn]] void refuse(const Named& a, const Named& b, std::string_view what_a, std::string_view what_b) {
  throw Failure{fmt::format("{} has {}, {} {}; only filters of one plan and hash can be merged", a.path, what_a, b.path,
                            what_b)};
}

void require_equal(const Named& a, const Named& b, std::string_view unit, std::uint64_t in_a, std::uint64_t in_b) {
  if (in_a != in_b) refuse(a, b, fmt::format("{} {}", grouped(in_a), unit), grouped(in_b));
}

void require_same_shape(const Named& a, const Named& b) {
  const Shape& in_a = a.filter.segments().front().shape;
  const Shape& in_b = b.filter.segments().front().shape;
  if (in_a.kind != in_b.kind)
    refuse(a, b, fmt::format("kind {}", bloomery::name(in_a.kind)), bloomery::name(in_b.kind));
  if (in_a.kind == Kind::exact) return;  // any sizes go together
  require_equal(a, b, in_a.kind == Kind::blocked ? "lines" : "bits", in_a.cells, in_b.cells);
  require_equal(a, b, "hashes", in_a.probes, in_b.probes);
  require_equal(a, b, "lines per key", in_a.lines_per_key, in_b.lines_per_key);
  if (in_a.rule != in_b.rule) refuse(a, b, fmt::format("index rule {}", in_a.rule), fmt::format("{}", in_b.rule));
}

void require_same_hash(const Named& a, const Named& b) {
  const bloomery::Hasher& in_a = a.filter.hasher();
  const bloomery::Hasher& in_b = b.filter.hasher();
  if (in_a.id != in_b.id) refuse(a, b, fmt::format("hash {}", bloomery::name(in_a.id)), bloomery::name(in_b.id));
  if (in_a.key == in_b.key) return;
  if (in_a.secret()) throw Failure{fmt::format("{} and {} were made with different secret keys", a.path, b.path)};
  refuse(a, b, fmt::format("hash seed {}", in_a.seed()), fmt::format("{}", in_b.seed()));
}

void require_one_segment(const Named& named) {
  if (const auto segments = named.filter.segments().size(); segments != 1)
    throw Failure{fmt::format("{}: grew to {} segments; only filters of one segment can be merged", named.path, segments)};
}

Filter combine(const Options& options) {
  const std::string& first = options.inputs.front();
  Filter combined = open_input(options, first, Load::copy);
  require_one_segment({first, combined});
  for (std::size_t i = 1; i < options.inputs.size(); ++i) {
    const std::string& path = options.inputs[i];
    name_mapped_file(path);
    const Filter other = open_input(options, path, Load::map);
    require_one_segment({path, other});
    require_same_hash({first, combined}, {path, other});
    require_same_shape({first, combined}, {path, other});
    take(options.intersect ? combined.intersect(other) : combined.merge(other));
  }
  return combined;
}

Json json_summary(const Options& options, const Filter& filter) {
  return {{"file", options.output},
          {"operation", options.intersect ? "intersect" : "union"},
          {"inputs", options.inputs.size()},
          {"kind", bloomery::name(filter.kind())},
          {"keys_inserted", filter.counts().inserted},
          {"keys_inserted_is_estimate", filter.counts().estimated},
          {"planned_keys", filter.planned_keys()},
          {"planned_fpr", filter.planned_fpr()},
          {"fill_ratio", filter.fill_ratio()},
          {"current_fpr", filter.current_fpr()},
          {"size_bytes", filter.size_bytes()}};
}

std::string text_summary(const Options& options, const Filter& filter) {
  return fmt::format("{}: {} of {} filters, {}, {} keys{}, fill {:.2f}%, {}, fpr now {}", options.output,
                     options.intersect ? "intersection" : "union", options.inputs.size(),
                     bloomery::name(filter.kind()), grouped(filter.counts().inserted),
                     filter.counts().estimated ? " (an estimate)" : "", 100 * filter.fill_ratio(),
                     human_bytes(filter.size_bytes()), short_number(filter.current_fpr()));
}

int run(const Options& options) {
  refuse_terminal(options.output);
  const auto lock = lock_output(options.output);
  const Filter filter = combine(options);
  store(filter, options.output);
  const int json_fd = options.output == "-" ? STDERR_FILENO : STDOUT_FILENO;
  if (options.common.json) print_json(json_fd, json_summary(options, filter));
  if (options.common.quiet) return kExitSuccess;
  if (!options.common.json) print_note(text_summary(options, filter));
  warn_past_plan(filter, options.output);
  return kExitSuccess;
}

Run add(CLI::App& app) {
  const auto options = std::make_shared<Options>();
  app.add_option("-o,--output", options->output, "The filter to write; -: standard output")
      ->required()
      ->type_name("FILE");
  app.add_flag("--intersect", options->intersect, "Keep what all have, not what any has");
  add_key_file(app, options->key_file);
  add_common(app, options->common);
  app.add_option("FILE", options->inputs, "The filters")->required()->type_name("");
  return [options] { return run(*options); };
}

}  // namespace

constinit const Verb kMerge = {"merge", "-o OUT|- [OPTION]... FILE...", "Make one filter of several", kDetails, add};

}  // namespace cli
