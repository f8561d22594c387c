// plan: from what is known to the shape of a filter, for every layout beside each other.
#include <fmt/format.h>
#include <unistd.h>

#include <charconv>
#include <cmath>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>

#include "cli/advice.hpp"
#include "cli/common.hpp"
#include "cli/planning.hpp"
#include "cli/sample.hpp"
#include "cli/verbs.hpp"

namespace cli {
namespace {

constexpr std::string_view kDetails =
    R"(Give what you know, and plan works out the rest, for every layout beside each other:
  --items [--fpr]              the size (without --fpr: at 0.01)
  --items --memory             the rate; or with --bits-per-key instead of --memory
  --memory --fpr               how many items fit; or with --bits-per-key instead of --fpr
  --hashes and one of --fpr, --bits-per-key
                               bits and rate per key, for any number of items
--sample FILE in the place of --items reads the file and estimates its distinct lines (HyperLogLog: in 64 KiB,
the standard error is 0.41% or less); the plan is for two standard errors more.
--hashes can be added to all of them: bits that a key sets; blocked: in each of its lines.

The column "textbook" takes the numbers that most articles take (m = -n ln p / ln^2 2, k = m/n ln 2, rounded):
it ends a hair above the rate that was asked for. The others keep it: their rates are achieved by the exact
model (docs/fpr.md). "hash floor" is the share of the rate that comes from the width of the hash alone.
Cache lines are those read on average; exact: in memory, in a table three quarters full. Rates with k-1 and k+1
are at the same size.

With --deletes, --static, --unknown-size, --mergeable, --window (of --items) or --hostile (and --items; without --fpr: at
0.01) it recommends one of all kinds, and says why, what each takes, and what each costs to ask and to build.
--chooser prints the table of the README: the recommendation for each need.

Rates that are often used: 1/8, 1/64, 1/1024, 1/8192, 1/65536, 1/1048576.
With --json, names are stable; what does not exist is null.

Examples:
  bloomery plan --items 10M --fpr 0.1%
  bloomery plan --sample urls.txt.gz --fpr 0.1%
  bloomery plan --memory 64M --fpr 1e-6
  bloomery plan --hashes 3 --fpr 0.01
  bloomery plan --items 10M --fpr 0.01 --static
)";

struct Options {
  CommonOptions common;
  bool progress = false;
  Givens givens;
  std::vector<std::string> sample_files;
  Needs needs;
  bool chooser = false;
};

constexpr double kMostBitsPerKey = 1e15;

double parse_bits_per_key(std::string_view text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || !(value > 0 && value <= kMostBitsPerKey))
    throw Failure{fmt::format("--bits-per-key: '{}' is not a number above 0 and at most 1e15", text)};
  return value;
}

std::string precise(double number) { return fmt::format("{:.6g}", number); }

// The first column with a solution; its k and keys stand for all where one number is wanted.
const Column& leading(const std::vector<Column>& columns) {
  return *std::find_if(columns.begin(), columns.end(), [](const Column& column) { return column.solved(); });
}

std::vector<FixedHashes> fixed_around(const Givens& givens, const std::vector<Column>& columns) {
  if (givens.per_key())
    return fixed_hashes(static_cast<unsigned>(*givens.hashes), givens.fpr, givens.bits_per_key.value_or(0));
  const bloomery::Plan& plan = leading(columns).plan;
  return fixed_hashes(plan.shape.probes, givens.fpr, plan.bits_per_key);
}

// --- text ---

using Value = std::function<std::string(const Column&)>;

std::string row(std::string_view title, const std::vector<Column>& columns, const Value& value) {
  std::string line = fmt::format("{:<18}", title);
  for (const Column& column : columns) line += fmt::format("{:>20}", column.solved() ? value(column) : "-");
  return line + '\n';
}

std::string around(const Column& column, std::size_t i) {
  if (column.around.empty() || !column.around[i].fpr) return "-";
  return precise(*column.around[i].fpr);
}

std::string hashes_of(const Column& column) {
  const bloomery::Shape& shape = column.plan.shape;
  if (shape.kind == bloomery::Kind::exact) return "-";
  return shape.lines_per_key > 1 ? fmt::format("{} in each", shape.probes) : fmt::format("{}", shape.probes);
}

std::string lines_of(const Column& column) {
  if (column.plan.shape.kind != bloomery::Kind::blocked) return "-";
  return fmt::format("{}", column.plan.shape.lines_per_key);
}

std::string table(const std::vector<Column>& columns) {
  std::string text = fmt::format("{:<18}", "");
  for (const Column& column : columns) text += fmt::format("{:>20}", column.name);
  text += '\n';
  const auto add = [&](std::string_view title, const Value& value) { text += row(title, columns, value); };
  add("keys", [](const Column& c) { return grouped(c.plan.keys); });
  add("fpr achieved", [](const Column& c) { return precise(c.plan.fpr); });
  add("bits", [](const Column& c) { return grouped(size_bits(c.plan.shape)); });
  add("size", [](const Column& c) { return human_bytes(c.plan.size_bytes); });
  add("  in MB", [](const Column& c) { return fmt::format("{:.2f}", static_cast<double>(c.plan.size_bytes) / 1e6); });
  add("bits per key", [](const Column& c) { return fmt::format("{:.4g}", c.plan.bits_per_key); });
  add("hashes k", hashes_of);
  add("lines per key", lines_of);
  add("cache lines, new", [](const Column& c) { return fmt::format("{:.2f}", c.lines_if_new); });
  add("cache lines, held", [](const Column& c) { return fmt::format("{:.4g}", c.lines_if_held); });
  add("hash floor", [](const Column& c) { return short_number(c.plan.fpr_floor); });
  for (std::size_t i = 0; i < kLoads.size(); ++i)
    add(fmt::format("fpr at {} x keys", kLoads[i]), [i](const Column& c) { return precise(c.load_curve[i]); });
  add("fpr with k-1", [](const Column& c) { return around(c, 0); });
  add("fpr with k", [](const Column& c) { return around(c, 1); });
  add("fpr with k+1", [](const Column& c) { return around(c, 2); });
  for (const Column& column : columns)
    if (!column.solved()) text += fmt::format("{}: no solution: {}\n", column.name, column.problem);
  return text;
}

std::string fixed_table(const std::vector<FixedHashes>& rows) {
  std::string text = "bits per key with k fixed: exact; approximately 2k / (2c + c^2), c = p^(1/k)\n";
  for (const FixedHashes& fixed : rows)
    text += fmt::format("  k {:<3} fpr {:<12} {:.2f}; {:.2f}\n", fixed.hashes, precise(fixed.fpr), fixed.bits_per_key,
                        fixed.bits_per_key_approx);
  return text;
}

std::string comparison(std::uint64_t keys) {
  const HashSets sets = hash_sets(keys);
  return fmt::format(
      "hash sets of {} keys, for comparison\n"
      "  {}: 16-byte fingerprints in a table three quarters full\n"
      "  {} at least: std::unordered_set<std::string> (64 bytes a node, 8 a bucket; more beyond 15 bytes a string)\n",
      grouped(keys), human_bytes(sets.fingerprints_bytes), human_bytes(sets.strings_bytes));
}

std::string recipes(const std::vector<Column>& columns) {
  std::string text = "the same filters\n";
  for (const Column& column : columns)
    if (column.solved()) text += fmt::format("  {}\n    {}\n    {}\n", column.name, cli_line(column), cpp_line(column));
  return text;
}

std::string sample_text(const Sample& sample) {
  return fmt::format("sample: {} lines, about {} distinct, standard error at most {:.2f}%; planned for two of it more\n",
                     grouped(sample.lines), grouped(static_cast<std::uint64_t>(std::llround(sample.distinct))),
                     100 * sample.standard_error);
}

std::string text_plan(const Givens& givens, const std::optional<Sample>& sample, const std::vector<Column>& columns) {
  std::string text = sample ? sample_text(*sample) : std::string();
  if (givens.default_fpr) text += fmt::format("fpr {}: the default; choose with --fpr\n", short_number(*givens.fpr));
  if (!columns.empty()) text += table(columns);
  text += fixed_table(fixed_around(givens, columns));
  if (!columns.empty()) text += comparison(leading(columns).plan.keys) + recipes(columns);
  text.pop_back();  // whoever prints it ends the line
  return text;
}

// --- JSON ---

template <class T>
Json or_null(const std::optional<T>& value) {
  return value ? Json(*value) : Json(nullptr);
}

Json json_sample(const std::optional<Sample>& sample) {
  if (!sample) return nullptr;
  return {{"lines", sample->lines},
          {"distinct_estimate", sample->distinct},
          {"standard_error", sample->standard_error},
          {"planned_keys", sample->keys_to_plan_for()}};
}

Json json_given(const Givens& givens, const std::optional<Sample>& sample) {
  return {{"items", or_null(givens.items)},
          {"sample", json_sample(sample)},
          {"fpr", or_null(givens.fpr)},
          {"fpr_is_default", givens.default_fpr},
          {"memory_bytes", or_null(givens.memory_bytes)},
          {"bits_per_key", or_null(givens.bits_per_key)},
          {"hashes", or_null(givens.hashes)}};
}

Json json_column(const Column& column) {
  if (!column.solved()) return {{"name", column.name}, {"problem", column.problem}};
  const bloomery::Plan& plan = column.plan;
  Json json = {{"name", column.name},
               {"problem", nullptr},
               {"kind", bloomery::name(plan.shape.kind)},
               {"rule", plan.shape.rule},
               {"keys", plan.keys},
               {"fpr", plan.fpr},
               {"cells", plan.shape.cells},
               {"size_bits", size_bits(plan.shape)},
               {"size_bytes", plan.size_bytes},
               {"bits_per_key", plan.bits_per_key},
               {"hashes", plan.shape.probes},
               {"lines_per_key", plan.shape.lines_per_key},
               {"fpr_floor", plan.fpr_floor},
               {"cache_lines_new", column.lines_if_new},
               {"cache_lines_held", column.lines_if_held},
               {"load_curve", Json::array()},
               {"around_hashes", Json::array()},
               {"cli", cli_line(column)},
               {"cpp", cpp_line(column)}};
  for (std::size_t i = 0; i < kLoads.size(); ++i)
    json["load_curve"].push_back({{"load", kLoads[i]}, {"fpr", column.load_curve[i]}});
  for (const AtHashes& at : column.around)
    json["around_hashes"].push_back({{"hashes", at.hashes}, {"fpr", or_null(at.fpr)}});
  return json;
}

Json json_plan(const Givens& givens, const std::optional<Sample>& sample, const std::vector<Column>& columns) {
  Json json = {{"given", json_given(givens, sample)}, {"layouts", Json::array()}, {"fixed_hashes", Json::array()}};
  for (const Column& column : columns) json["layouts"].push_back(json_column(column));
  for (const FixedHashes& fixed : fixed_around(givens, columns))
    json["fixed_hashes"].push_back({{"hashes", fixed.hashes},
                                    {"fpr", fixed.fpr},
                                    {"bits_per_key", fixed.bits_per_key},
                                    {"bits_per_key_approx", fixed.bits_per_key_approx}});
  json["hash_sets"] = nullptr;
  if (columns.empty()) return json;
  const std::uint64_t keys = leading(columns).plan.keys;
  const HashSets sets = hash_sets(keys);
  json["hash_sets"] = {{"keys", keys},
                       {"fingerprints_bytes", sets.fingerprints_bytes},
                       {"unordered_set_of_strings_bytes_at_least", sets.strings_bytes}};
  return json;
}

std::optional<Sample> take_sample(Options& options) {
  if (options.sample_files.empty()) return std::nullopt;
  if (options.givens.items) throw Failure{"--items: is what --sample estimates; leave one of them out"};
  const Sample sample = sample_of(options.sample_files, {.forced = options.progress, .quiet = options.common.quiet});
  options.givens.items = sample.keys_to_plan_for();
  return sample;
}

// Nothing without needs. Errors: Failure, naming what is missing or contradictory.
std::optional<Advice> advice_for(const Options& options, const std::vector<Column>& columns) {
  if (!options.needs.any()) return std::nullopt;
  if (!options.givens.items || columns.empty()) throw Failure{"--items: is needed for advice (or the most there can be)"};
  return advise(options.needs, *options.givens.items, options.givens.fpr.value_or(leading(columns).plan.fpr));
}

int run(Options& options) {
  if (options.chooser) {
    std::string table = chooser();
    table.pop_back();  // whoever prints it ends the line
    print_text(STDOUT_FILENO, table);
    return kExitSuccess;
  }
  const std::optional<Sample> sample = take_sample(options);
  settle(options.givens);
  const std::vector<Column> columns = options.givens.per_key() ? std::vector<Column>{} : solve(options.givens);
  const std::optional<Advice> advice = advice_for(options, columns);
  if (options.common.json) {
    Json json = json_plan(options.givens, sample, columns);
    json["advice"] = advice ? json_advice(*advice) : Json(nullptr);
    print_json(STDOUT_FILENO, json);
  } else if (!options.common.quiet) {
    print_text(STDOUT_FILENO,
               (advice ? text_advice(*advice) : std::string()) + text_plan(options.givens, sample, columns));
  }
  return kExitSuccess;
}

Run add(CLI::App& app) {
  const auto options = std::make_shared<Options>();
  Givens& givens = options->givens;
  add_count(app, "--items", givens.items, {1, kMostItems}, "Distinct items");
  app.add_option("--sample", options->sample_files, "Estimate the items: the distinct lines of FILE; may be repeated")
      ->type_name("FILE")->expected(1)->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  add_rate(app, "--fpr", givens.fpr, "False-positive rate");
  add_size(app, "--memory", givens.memory_bytes, {1, kMostPlannedBytes}, "Size of the filter");
  app.add_option_function<std::string>(
         "--bits-per-key", [&givens](const std::string& text) { givens.bits_per_key = parse_bits_per_key(text); },
         "Size of the filter for each item")
      ->type_name("X");
  add_count(app, "--hashes", givens.hashes, {1, 255}, "Bits that a key sets (blocked: in each line, 1 to 8)");
  Needs& needs = options->needs;
  app.add_flag("--deletes", needs.deletes, "Keys are taken out again");
  app.add_flag("--static", needs.fixed, "All keys are known, and none will be added");
  app.add_flag("--unknown-size", needs.unknown_size, "Nobody knows how many keys will come (--items: what may be)");
  app.add_flag("--mergeable", needs.mergeable, "Filters are made in several places and put together");
  app.add_flag("--window", needs.window, "Of a stream, only the last --items keys matter");
  app.add_flag("--hostile", needs.hostile, "Keys come from people who gain by a wrong answer");
  app.add_flag("--chooser", options->chooser, "Print which kind is recommended for which need");
  add_common(app, options->common);
  add_progress(app, options->progress);
  return [options] { return run(*options); };
}

}  // namespace

constinit const Verb kPlan = {"plan", "[OPTION]...", "Work out size, rate or number of items before building", kDetails,
                              add};

}  // namespace cli
