// bloomery_bench: measures this machine, bloomery and its peers. scripts/bench builds and runs it; README.md says how
// to read what it prints.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <fstream>
#include <iostream>

#include "measure.hpp"
#include "report.hpp"

namespace bench {
namespace {

struct Options {
  bool quick = false;
  bool large = false;
  std::vector<double> bits_per_key;
  std::vector<std::uint64_t> keys;
  std::string output;
};

Effort effort_of(const Options& options) {
  if (options.quick)
    return {.rounds = 5, .probes = 1'000'000, .task_seconds = 0.01, .fpr_probes = 4'000'000, .limit_repeats = 3};
  return {};
}

void say(const std::string& what) { std::fprintf(stderr, "bench: %s\n", what.c_str()); }

template <class Key>
void run(const Scenario& scenario, Field field, const Effort& effort, Results& results) {
  say(fmt::format("{} {}, {} bits per key", short_count(scenario.size.keys), scenario.key_form,
                  scenario.size.bits_per_key));
  measure<Key>(scenario, make_contestants<Key>(scenario.size, field), effort, results);
}

constexpr std::uint64_t kMostUrls = 20'000'000;  // more would not fit beside the filters

void run_all(const Options& options, Results& results) {
  const Effort effort = effort_of(options);
  for (const std::uint64_t keys : options.keys) {
    say("limits for " + short_count(keys));
    measure_limits(keys * 10 / 8, effort, results);
    for (const double bits : options.bits_per_key) {
      run<std::uint64_t>({{keys, bits}}, Field::all, effort, results);
      if (keys <= kMostUrls) run<std::string_view>({{keys, bits}, "URLs"}, Field::all, effort, results);
    }
  }
  if (options.large) run<std::uint64_t>({{1'000'000'000, 12}}, Field::fast, effort, results);
}

bool save(const Results& results, const std::string& path) {
  std::ofstream csv(path + ".csv"), markdown(path + ".md");
  write_csv(results, csv);
  write_markdown(results, markdown);
  csv.close();
  markdown.close();
  return csv && markdown;
}

int run_program(const Options& options) {
  Results results;
  run_all(options, results);
  write_markdown(results, std::cout);
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
  app.add_option("--output", options.output, "Save as OUTPUT.csv and OUTPUT.md");
  CLI11_PARSE(app, argc, argv);
  if (options.keys.empty())
    options.keys = options.quick ? std::vector<std::uint64_t>{100'000, 2'000'000, 20'000'000}
                                 : std::vector<std::uint64_t>{100'000, 2'000'000, 20'000'000, 200'000'000};
  if (options.bits_per_key.empty())
    options.bits_per_key = options.quick ? std::vector<double>{10} : std::vector<double>{8, 10, 12, 16};
  return bench::run_program(options);
}
