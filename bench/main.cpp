// bloomery_bench: measures this machine, bloomery and its peers. scripts/bench builds and runs it; README.md says how
// to read what it prints.
#include <algorithm>
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <fstream>
#include <iostream>

#include "goals.hpp"
#include "ours.hpp"
#include "report.hpp"
#include "special.hpp"

namespace bench {
namespace {

constexpr std::uint64_t kMostUrls = 20'000'000;  // more would not fit beside the filters

struct Options {
  bool quick = false;
  bool large = false;
  std::vector<double> bits_per_key;
  std::vector<std::uint64_t> keys;
  std::vector<std::string> parts, forms;  // empty: all
  std::string field;                      // empty: as the run has it
  std::string output;
};

Effort effort_of(const Options& options) {
  if (!options.quick) return {};
  return {.rounds = 5, .probes = 1'000'000, .task_seconds = 0.01, .fpr_probes = 2'000'000, .limit_repeats = 5};
}

bool is_wanted(const std::vector<std::string>& wanted, const char* what) {
  return wanted.empty() || std::find(wanted.begin(), wanted.end(), what) != wanted.end();
}

void say(const std::string& what) { std::fprintf(stderr, "bench: %s\n", what.c_str()); }

// A quick run leaves the slow contestants and operations out where there are many keys.
bool in_a_hurry(const Options& options, std::uint64_t keys) { return options.quick && keys > 2'000'000; }

Field field_of(const Options& options, std::uint64_t keys) {
  if (options.field == "fast") return Field::fast;
  if (options.field == "main") return Field::main;
  return options.field.empty() && in_a_hurry(options, keys) ? Field::main : Field::all;
}

template <class Key>
void run(const Scenario& scenario, Field field, const Effort& effort, Results& results) {
  say(fmt::format("{} {}, {} bits per key, {} pages", short_count(scenario.size.keys), scenario.key_form,
                  scenario.size.bits_per_key, scenario.pages));
  measure<Key>(scenario, make_contestants<Key>(scenario.size, field), effort, results);
}

void run_grid(const Options& options, Effort effort, Results& results) {
  for (const std::uint64_t keys : options.keys) {
    const Field field = field_of(options, keys);
    effort.singles = !in_a_hurry(options, keys);
    say("limits for " + short_count(keys) + " keys");
    measure_limits(keys * 10 / 8, effort, results);
    for (const double bits : options.bits_per_key) {
      if (is_wanted(options.forms, "hashes")) run<std::uint64_t>({{keys, bits}}, field, effort, results);
      if (keys <= kMostUrls && is_wanted(options.forms, "URLs"))
        run<std::string_view>({{keys, bits}, "URLs"}, field, effort, results);
    }
  }
}

void run_special(const Options& options, Effort effort, Results& results) {
  const std::uint64_t most = options.keys.back();
  const auto wanted = [&](const char* part) {
    if (!is_wanted(options.parts, part)) return false;
    say(part);
    return true;
  };
  effort.singles = !in_a_hurry(options, most);
  if (wanted("inline")) measure_inline(effort, results);
  if (wanted("lines")) measure_lines_per_key(std::min<std::uint64_t>(most, 20'000'000), effort, results);
  if (wanted("threads")) measure_threads(most, effort, results);
  if (wanted("small-pages")) {
    const SmallPagesOnly small_pages;
    run<std::uint64_t>({{most, 10}, "hashes", "4K"}, Field::fast, effort, results);
  }
  if (wanted("rates"))
    for (const double bits : {8, 10, 12, 16}) measure_fpr(bits, options.quick ? 10'000'000 : 1'000'000'000, results);
  if (options.large) run<std::uint64_t>({{1'000'000'000, 12}}, Field::fast, effort, results);
}

void write_report(const Results& results, std::ostream& out) {
  write_markdown(results, out);
  write_goals(results, kernels_to_show(Field::fast), out);
}

bool save(const Results& results, const std::string& path) {
  std::ofstream csv(path + ".csv"), markdown(path + ".md");
  write_csv(results, csv);
  write_report(results, markdown);
  csv.close();
  markdown.close();
  return csv && markdown;
}

int run_program(const Options& options) {
  Results results;
  const Effort effort = effort_of(options);
  if (is_wanted(options.parts, "grid")) run_grid(options, effort, results);
  run_special(options, effort, results);
  write_report(results, std::cout);
  if (options.output.empty() || save(results, options.output)) return 0;
  say(options.output + ".csv and .md: cannot be written");
  return 2;
}

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
  bench::Options options;
  CLI::App app("Measures this machine, bloomery and its peers.");
  app.add_flag("--quick", options.quick, "Few keys, few rounds: under three minutes");
  app.add_flag("--large", options.large, "Also 1 G keys at 12 bits (takes 18 GB of memory)");
  app.add_option("--keys", options.keys, "Sizes, instead of those of the run");
  app.add_option("--bits-per-key", options.bits_per_key, "Bits per key, instead of those of the run");
  app.add_option("--part", options.parts, "Only these: grid, inline, lines, threads, small-pages, rates")
      ->check(CLI::IsMember({"grid", "inline", "lines", "threads", "small-pages", "rates"}));
  app.add_option("--form", options.forms, "Only these keys in the grid: hashes, URLs")
      ->check(CLI::IsMember({"hashes", "URLs"}));
  app.add_option("--field", options.field, "Who takes part in the grid: all, main (the peers that the goals name), fast")
      ->check(CLI::IsMember({"all", "main", "fast"}));
  app.add_option("--output", options.output, "Save as OUTPUT.csv and OUTPUT.md");
  CLI11_PARSE(app, argc, argv);
  if (options.keys.empty())
    options.keys = options.quick ? std::vector<std::uint64_t>{100'000, 2'000'000, 20'000'000}
                                 : std::vector<std::uint64_t>{100'000, 2'000'000, 20'000'000, 200'000'000};
  if (options.bits_per_key.empty())
    options.bits_per_key = options.quick ? std::vector<double>{10} : std::vector<double>{8, 10, 12, 16};
  return bench::run_program(options);
}
