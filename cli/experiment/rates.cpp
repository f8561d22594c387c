// Measured against predicted rates, for every kind, over n, p and k.
#include <fmt/format.h>

#include <array>
#include <cmath>

#include "cli/experiment/measure.hpp"

namespace cli::experiment {
namespace {

// One rate to measure.
struct Task {
  Subject subject;
  std::string_view over;  // what is varied: n, p or k
  double x;
  std::uint64_t keys;
  bloomery::Plan plan;
};

constexpr std::uint64_t kKeys = 10'000;
constexpr double kFpr = 0.01, kBitsPerKey = 10;
constexpr std::array<std::uint64_t, 6> kSizes = {10, 100, 1000, 10'000, 100'000, 1'000'000};
constexpr std::array<double, 7> kRates = {0.5, 0.2, 0.05, 0.01, 1e-3, 1e-4, 1e-5};
constexpr std::array<unsigned, 11> kHashes = {1, 2, 3, 4, 5, 6, 7, 8, 10, 13, 16};
constexpr std::size_t kQuickSizes = 4, kQuickRates = 5, kQuickStep = 2;

void add_task(std::vector<Task>& tasks, const Subject& subject, std::string_view over, double x, std::uint64_t keys,
              const std::optional<bloomery::Plan>& plan) {
  if (plan) tasks.push_back({subject, over, x, keys, *plan});
}

std::vector<Task> tasks_of(const Settings& settings) {
  std::vector<Task> tasks;
  for (const Subject& subject : every_subject()) {
    for (const std::uint64_t n : std::span(kSizes).first(settings.quick ? kQuickSizes : kSizes.size()))
      add_task(tasks, subject, "n", static_cast<double>(n), n, plan_of(subject, n, kFpr));
    for (const double p : std::span(kRates).first(settings.quick ? kQuickRates : kRates.size()))
      add_task(tasks, subject, "p", p, kKeys, plan_of(subject, kKeys, p));
    if (subject.remembered_share || subject.request.hashes) continue;
    for (std::size_t i = 0; i < kHashes.size(); i += settings.quick ? kQuickStep : 1)
      add_task(tasks, subject, "k", kHashes[i], kKeys, plan_of(subject, kKeys, {}, kBitsPerKey, kHashes[i]));
  }
  return tasks;
}

Study empty_study() {
  return {.name = "rates",
          .title = "Measured against predicted false-positive rates of every kind",
          .table = {.columns = {"kind", "over", "keys", "asked_fpr", "hashes", "bits_per_key", "filters", "probes",
                                "hits", "predicted_fpr", "from_bits_fpr", "measured_fpr", "low", "high"}}};
}

void add_row(Study& study, const Task& task, const Measured& m) {
  study.table.rows.push_back({task.subject.name, std::string(task.over), task.keys, task.plan.asked_fpr,
                              std::uint64_t{task.plan.shape.probes}, m.bits_per_key, m.filters, m.probes, m.hits,
                              m.predicted, m.from_bits, m.rate, m.interval.low, m.interval.high});
}

// The series of a kind in the chart of what is varied: measured over predicted, so that 1 is right everywhere.
void add_point(Chart& chart, const Task& task, const Measured& m) {
  constexpr std::uint64_t kLeastHits = 100;  // fewer say too little to be drawn
  if (m.hits < kLeastHits) return;
  if (chart.series.empty() || chart.series.back().name != task.subject.name)
    chart.series.push_back({.name = task.subject.name, .line = false, .intervals = true});
  const double beside = 0.07 * (static_cast<double>(chart.series.size()) - 5);  // kinds side by side
  chart.series.back().points.push_back({chart.log_x ? task.x * std::exp(beside) : task.x + beside,
                                        m.rate / m.predicted,
                                        {m.interval.low / m.predicted, m.interval.high / m.predicted}});
}

struct Tally {
  std::uint64_t rates = 0, in_shown = 0;
};

void conclude(Study& study, const Tally& tally, const Settings& settings) {
  study.findings.push_back(fmt::format(
      "{} of {} rates ({:.1f}%) have the predicted one inside of their 95% interval; {} are outside of the interval "
      "that "
      "misses with chance {}.",
      tally.in_shown, tally.rates, 100.0 * static_cast<double>(tally.in_shown) / static_cast<double>(tally.rates),
      study.outside.size(), settings.error));
}

}  // namespace

Study rates_study(const Settings& settings) {
  Study study = empty_study();
  std::array<Chart, 3> charts;
  const std::array<std::string_view, 3> overs = {"n", "p", "k"};
  const std::array<std::string_view, 3> labels = {"keys", "rate that was asked for", "hashes"};
  for (std::size_t i = 0; i < charts.size(); ++i)
    charts[i] = {.name = fmt::format("rates_{}", overs[i]),
                 .title = fmt::format("Measured rate over predicted rate, with 95% intervals, by {}", overs[i]),
                 .x_label = std::string(labels[i]),
                 .y_label = "measured / predicted",
                 .log_x = overs[i] != "k",
                 .log_y = false};
  Random random(settings.seed + 1);
  Tally tally;
  const std::vector<Task> tasks = tasks_of(settings);
  for (const Task& task : tasks) {
    const Effort effort = effort_for(task.keys, settings.quick ? 60'000 : 6'000'000);
    const Measured m = measure(task.subject, task.plan, task.keys, effort, random);
    add_row(study, task, m);
    for (std::size_t i = 0; i < charts.size(); ++i)
      if (overs[i] == task.over) add_point(charts[i], task, m);
    ++tally.rates;
    tally.in_shown += m.interval.holds(m.predicted) ? 1U : 0U;
    check_rate(study, fmt::format("{}, {} keys, {} = {}", task.subject.name, task.keys, task.over, task.x), m,
               settings);
    settings.progress(static_cast<double>(tally.rates) / static_cast<double>(tasks.size()));
  }
  study.charts.assign(charts.begin(), charts.end());
  conclude(study, tally, settings);
  return study;
}

}  // namespace cli::experiment
