// How many hashes: the article's k = 4 against k = 7, and the practice of always taking 3 or 4, against the optimum.
#include <fmt/format.h>

#include <array>

#include "cli/experiment/measure.hpp"
#include "cli/report.hpp"

namespace cli::experiment {
namespace {

using bloomery::Filter;
using bloomery::Hash;
using bloomery::Plan;

struct Choice {
  std::string name;
  Plan plan;
  Measured measured = {};
  Speed speed = {};
};

std::vector<std::string> columns() {
  return {"choice",       "keys", "target_fpr", "hashes",    "bits_per_key", "predicted_fpr",
          "measured_fpr", "low",  "high",       "insert_ns", "ask_new_ns",   "ask_held_ns"};
}

// Rate and time of a full filter of `keys` keys.
void measure_choice(Choice& choice, const Subject& subject, std::uint64_t keys, const Settings& settings,
                    Random& random) {
  choice.measured = measure(subject, choice.plan, keys, effort_for(keys, settings.quick ? 40'000 : 4'000'000), random);
  std::vector<Hash> held(keys), strangers(keys);
  random_hashes(random, subject.hasher, held);
  random_hashes(random, subject.hasher, strangers);
  Filter filter = take(Filter::build(choice.plan, subject.hasher, held));
  choice.speed = speed_of(filter, held, strangers);
}

void add_row(Study& study, const Choice& choice, std::uint64_t keys, double target, const Settings& settings) {
  const Measured& m = choice.measured;
  study.table.rows.push_back({choice.name, keys, target, std::uint64_t{choice.plan.shape.probes}, m.bits_per_key,
                              m.predicted, m.rate, m.interval.low, m.interval.high, choice.speed.insert_ns,
                              choice.speed.ask_new_ns, choice.speed.ask_held_ns});
  check_rate(study, fmt::format("{}, {} keys", choice.name, keys), m, settings);
}

std::string compared(const Choice& a, const Choice& b) {
  return fmt::format(
      "{} against {}: {:.2f} against {:.2f} bits per key, rate {:.3g} against {:.3g}; inserting takes {:.2f} of the "
      "time, asking "
      "for new keys {:.2f}, for held ones {:.2f}.",
      a.name, b.name, a.measured.bits_per_key, b.measured.bits_per_key, a.measured.rate, b.measured.rate,
      a.speed.insert_ns / b.speed.insert_ns, a.speed.ask_new_ns / b.speed.ask_new_ns,
      a.speed.ask_held_ns / b.speed.ask_held_ns);
}

std::vector<std::uint64_t> sizes(const Settings& settings) {
  return settings.quick ? std::vector<std::uint64_t>{10'000} : std::vector<std::uint64_t>{10'000, 4'000'000};
}

}  // namespace

Study hashes_study(const Settings& settings) {
  Study study{
      .name = "hashes", .title = "The article's second finding: k = 4 against k = 7", .table = {.columns = columns()}};
  Random random(settings.seed + 3);
  const Subject subject = article_subject();
  for (const std::uint64_t keys : sizes(settings)) {
    const Plan high = plan_of(subject, keys, 0.05).value(), low = plan_of(subject, keys, 0.01).value();
    const double bits = static_cast<double>(low.shape.cells) / static_cast<double>(keys);
    std::array<Choice, 3> choices = {
        Choice{"k = 4, planned for 0.05", high}, Choice{"k = 7, planned for 0.01", low},
        Choice{"k = 4, in the bits of k = 7", plan_of(subject, keys, {}, bits, 4).value()}};
    for (Choice& choice : choices) {
      measure_choice(choice, subject, keys, settings, random);
      add_row(study, choice, keys, choice.plan.asked_fpr, settings);
      settings.progress(static_cast<double>(study.table.rows.size()) / static_cast<double>(3 * sizes(settings).size()));
    }
    study.findings.push_back(fmt::format("{} items: {}", grouped(keys), compared(choices[0], choices[1])));
    study.findings.push_back(fmt::format("{} items: {}", grouped(keys), compared(choices[2], choices[1])));
  }
  return study;
}

namespace {

constexpr std::array<double, 5> kTargets = {0.1, 0.01, 0.001, 1e-4, 1e-6};
constexpr std::array<unsigned, 2> kFixed = {3, 4};

// The memory that a fixed k costs, from the formula, over all rates; the rows of the table lie on these curves.
Chart memory_chart() {
  Chart chart{.name = "practice",
              .title = "Memory of a fixed number of hashes over that of the best number",
              .x_label = "false-positive rate",
              .y_label = "bits per key / optimum"};
  for (const unsigned k : kFixed) {
    Series series{.name = fmt::format("k = {}", k)};
    for (double p = 0.2; p > 1e-6; p /= 1.5)
      series.points.push_back(
          {p, bloomery::formula::bits_per_key_fixed(p, k) / bloomery::formula::optimal_bits(1, p), {}});
    chart.series.push_back(series);
  }
  return chart;
}

std::vector<Choice> choices_for(double target, std::uint64_t keys) {
  const Subject subject = classic_subject();
  const Plan best = plan_of(subject, keys, target).value();
  std::vector<Choice> choices = {{fmt::format("optimum, k = {}", best.shape.probes), best}};
  for (const unsigned k : kFixed)
    choices.push_back({fmt::format("fixed k = {}", k), plan_of(subject, keys, target, {}, k).value()});
  return choices;
}

}  // namespace

Study practice_study(const Settings& settings) {
  Study study{
      .name = "practice", .title = "Always 3 or 4 hashes, against the best number", .table = {.columns = columns()}};
  Random random(settings.seed + 4);
  const std::uint64_t keys = settings.quick ? 10'000 : 2'000'000;
  for (std::size_t i = 0; i < kTargets.size(); ++i) {
    std::vector<Choice> choices = choices_for(kTargets[i], keys);
    for (Choice& choice : choices) {
      measure_choice(choice, classic_subject(), keys, settings, random);
      add_row(study, choice, keys, kTargets[i], settings);
      settings.progress(static_cast<double>(study.table.rows.size()) / static_cast<double>(3 * kTargets.size()));
    }
    for (std::size_t fixed = 1; fixed < choices.size(); ++fixed)
      study.findings.push_back(fmt::format("p = {}: {}", kTargets[i], compared(choices[fixed], choices[0])));
  }
  study.charts.push_back(memory_chart());
  return study;
}

}  // namespace cli::experiment
