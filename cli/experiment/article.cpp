// The reference article's study, run by run.
#include <fmt/format.h>

#include <array>
#include <chrono>
#include <cmath>

#include "cli/experiment/measure.hpp"
#include "cli/report.hpp"

namespace cli::experiment {
namespace {

using bloomery::Filter;
using Clock = std::chrono::steady_clock;

struct Scenario {
  std::string_view name;
  std::uint64_t keys;
};
struct Level {
  std::string_view name;
  double fpr;
};
constexpr std::array<Scenario, 5> kScenarios = {
    {{"small", 100}, {"medium", 500}, {"large", 1000}, {"xlarge", 5000}, {"huge", 10000}}};
constexpr std::array<Level, 2> kLevels = {{{"low_fp", 0.01}, {"high_fp", 0.05}}};
constexpr unsigned kRuns = 10;
constexpr std::uint64_t kLeastProbes = 1000;

struct RunResult {
  double fill_ratio, estimated, measured, milliseconds;
  std::uint64_t items_added, hits, probes;
};

std::vector<Item> random_items(Random& random, std::uint64_t count) {
  std::vector<Item> items(count);
  for (Item& item : items) item = random_item(random);
  return items;
}

// One item after the other, as the article does it. The items are there before the clock starts.
RunResult run_once(const bloomery::Plan& plan, std::uint64_t keys, Random& random) {
  const std::vector<Item> items = random_items(random, keys);
  const std::vector<Item> probes = random_items(random, std::max(10 * keys, kLeastProbes));
  Filter filter = take(Filter::create(plan, bloomery::Hasher::murmur3()));
  std::uint64_t hits = 0;
  const auto start = Clock::now();
  for (const Item& item : items) take(filter.insert(text(item)));
  for (const Item& probe : probes) hits += filter.may_contain(text(probe)) ? 1U : 0U;
  const double milliseconds = std::chrono::duration<double, std::milli>(Clock::now() - start).count();
  const std::uint64_t added = filter.counts().offered;
  return {.fill_ratio = filter.fill_ratio(),
          .estimated = bloomery::formula::textbook_fpr(static_cast<double>(added),
                                                       static_cast<double>(plan.shape.cells), plan.shape.probes),
          .measured = static_cast<double>(hits) / static_cast<double>(probes.size()),
          .milliseconds = milliseconds,
          .items_added = added,
          .hits = hits,
          .probes = probes.size()};
}

// Asked of one filter, the false positives are binomial: each probe meets the same share of ones, k times.
void check_run(const std::string& name, const RunResult& r, unsigned hashes, double error, Study& study) {
  const Interval wide = clopper_pearson(static_cast<double>(r.hits), static_cast<double>(r.probes), error);
  const double of_bits = std::pow(r.fill_ratio, hashes);
  if (!wide.holds(of_bits))
    study.outside.push_back(fmt::format("{}: measured {:.4g} (surely {:.4g} to {:.4g}), its bits say {:.4g}", name,
                                        r.measured, wide.low, wide.high, of_bits));
}

struct Pooled {
  Series measured, predicted;
};

// All runs of one scenario, into the table and the chart.
void run_scenario(const Scenario& scenario, const Level& level, Random& random, const Settings& settings, Study& study,
                  Pooled& pooled) {
  const std::uint64_t test_id = study.table.rows.size() / kRuns + 1;
  const bloomery::Plan plan = plan_of(article_subject(), scenario.keys, level.fpr).value();
  std::uint64_t hits = 0, probes = 0;
  double estimated = 0;
  for (std::uint64_t run = 1; run <= kRuns; ++run) {
    const RunResult r = run_once(plan, scenario.keys, random);
    check_run(fmt::format("{}_{}, run {}", scenario.name, level.name, run), r, plan.shape.probes, settings.error,
              study);
    hits += r.hits;
    probes += r.probes;
    estimated = r.estimated;
    study.table.rows.push_back({test_id, run, fmt::format("{}_{}", scenario.name, level.name), scenario.keys, level.fpr,
                                plan.shape.cells, std::uint64_t{plan.shape.probes}, r.items_added, r.fill_ratio,
                                r.estimated, r.measured, r.milliseconds});
  }
  const double rate = static_cast<double>(hits) / static_cast<double>(probes);
  const auto x = static_cast<double>(scenario.keys);
  pooled.measured.points.push_back(
      {x, rate, clopper_pearson(static_cast<double>(hits), static_cast<double>(probes), kShownError)});
  pooled.predicted.points.push_back({x, estimated, {}});
  study.findings.push_back(fmt::format("{}_{}: {} runs together measured {:.4f}, estimated {:.4f}.", scenario.name,
                                       level.name, kRuns, rate, estimated));
}

}  // namespace

Study article_study(const Settings& settings) {
  Study study{.name = "article",
              .title = "The article's study",
              .table = {.columns = {"test_id", "run_id", "scenario", "expected_elements", "target_fp_rate",
                                    "actual_size", "hash_count", "items_added", "fill_ratio", "estimated_fp_rate",
                                    "measured_fp_rate", "time_ms"}}};
  Chart chart{.name = "article",
              .title = "The article's scenarios: ten runs together",
              .x_label = "expected items",
              .y_label = "false-positive rate"};
  Random random(settings.seed);
  for (const Level& level : kLevels) {
    Pooled pooled{{.name = fmt::format("measured, {}", level.fpr), .line = false, .intervals = true},
                  {.name = fmt::format("estimated, {}", level.fpr)}};
    for (const Scenario& scenario : kScenarios) {
      run_scenario(scenario, level, random, settings, study, pooled);
      settings.progress(static_cast<double>(study.table.rows.size()) / (kRuns * kLevels.size() * kScenarios.size()));
    }
    chart.series.push_back(pooled.measured);
    chart.series.push_back(pooled.predicted);
  }
  study.charts.push_back(chart);
  return study;
}

}  // namespace cli::experiment
