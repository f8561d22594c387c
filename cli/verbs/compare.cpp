// compare: what two filters have in common.
#include <fmt/format.h>
#include <unistd.h>

#include <cmath>
#include <memory>
#include <nlohmann/json.hpp>

#include "bloomery/compare.hpp"
#include "cli/common.hpp"
#include "cli/sigbus.hpp"
#include "cli/verbs.hpp"

namespace cli {
namespace {

using bloomery::Estimate;
using bloomery::Filter;

constexpr std::string_view kDetails =
    R"(Estimates from the bits how many lines two filters hold, how many they have together and in common, and the
Jaccard similarity: common / together. The filters must have the same kind, size and hash, as for merge.
After each number: the interval in which it lies with the given confidence, over the chance of hashing. What two
large filters have in common is known worse, the less it is. For kind exact all is exact. Growing and static
filters cannot be compared. Nothing is written.

Examples:
  bloomery compare mon.blm tue.blm
  bloomery compare --confidence 0.99 --json mon.blm tue.blm
)";

struct Options {
  CommonOptions common;
  std::optional<double> confidence;
  std::string a, b;
};

constexpr double kDefaultConfidence = 0.95;

Filter open_quietly(const std::string& path) {
  name_mapped_file(path);
  return take(bloomery::open(path, {.without_key = true}));
}

Json json_estimate(const Estimate& estimate) {
  return {{"value", estimate.value}, {"low", estimate.low}, {"high", estimate.high}};
}

Json json_comparison(const Options& options, const bloomery::Comparison& comparison) {
  return {{"a", options.a},
          {"b", options.b},
          {"confidence", options.confidence.value_or(kDefaultConfidence)},
          {"keys_a", json_estimate(comparison.keys_a)},
          {"keys_b", json_estimate(comparison.keys_b)},
          {"keys_in_either", json_estimate(comparison.keys_in_either)},
          {"keys_in_both", json_estimate(comparison.keys_in_both)},
          {"jaccard", json_estimate(comparison.jaccard)}};
}

std::string whole(double keys) { return grouped(static_cast<std::uint64_t>(std::llround(keys))); }

std::string line_of(std::string_view what, const Estimate& keys) {
  return fmt::format("{:<10}{} keys ({} to {})\n", what, whole(keys.value), whole(std::ceil(keys.low)),
                     whole(std::floor(keys.high)));
}

std::string text_comparison(const Options& options, const bloomery::Comparison& comparison) {
  return line_of("first", comparison.keys_a) + line_of("second", comparison.keys_b) +
         line_of("together", comparison.keys_in_either) + line_of("in common", comparison.keys_in_both) +
         fmt::format("{:<10}{:.4f} ({:.4f} to {:.4f}), with confidence {}", "jaccard", comparison.jaccard.value,
                     comparison.jaccard.low, comparison.jaccard.high,
                     short_number(options.confidence.value_or(kDefaultConfidence)));
}

int run(const Options& options) {
  const Filter a = open_quietly(options.a), b = open_quietly(options.b);
  const auto comparison = bloomery::compare(a, b, options.confidence.value_or(kDefaultConfidence));
  if (!comparison) throw Failure{fmt::format("{}, {}: {}", options.a, options.b, comparison.error().message)};
  if (options.common.json) print_json(STDOUT_FILENO, json_comparison(options, *comparison));
  else if (!options.common.quiet) print_text(STDOUT_FILENO, text_comparison(options, *comparison));
  return kExitSuccess;
}

Run add(CLI::App& app) {
  const auto options = std::make_shared<Options>();
  add_rate(app, "--confidence", options->confidence, "Of the intervals (default 0.95)");
  add_common(app, options->common);
  app.add_option("A", options->a, "A filter")->required()->type_name("");
  app.add_option("B", options->b, "Another")->required()->type_name("");
  return [options] { return run(*options); };
}

}  // namespace

constinit const Verb kCompare = {"compare", "[OPTION]... A B", "Estimate what two filters have in common", kDetails, add};

}  // namespace cli
