// The article's first finding: that filters of fewer than some 500 items stray from the rate they were planned for.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "cli/experiment/measure.hpp"

namespace cli::experiment {
namespace {

constexpr std::array<std::uint64_t, 12> kSizes = {5, 10, 20, 50, 100, 200, 300, 500, 1000, 2000, 5000, 10'000};
constexpr std::array<double, 2> kRates = {0.01, 0.05};
constexpr std::uint64_t kLeastProbes = 1000;

// What a single run of the article's study shows, many times over.
struct Row {
  Subject subject;
  double fpr;
  std::uint64_t keys;
  bloomery::Plan plan;
  Measured measured;
  double asking_deviation;  // of single runs, if all filters were the same
};

Row measure_row(const Subject& subject, double fpr, std::uint64_t keys, const Settings& settings, Random& random) {
  const std::uint64_t probes = std::max(10 * keys, kLeastProbes);
  const std::uint64_t filters = settings.quick ? 40 : std::clamp<std::uint64_t>(6'000'000 / probes, 100, 4000);
  Row row{subject, fpr, keys, plan_of(subject, keys, fpr).value(), {}, 0};
  row.measured = measure(subject, row.plan, keys, {filters, probes}, random);
  row.asking_deviation = std::sqrt(row.measured.from_bits * (1 - row.measured.from_bits) / static_cast<double>(probes));
  return row;
}

double textbook(const Row& row) {
  return bloomery::formula::textbook_fpr(static_cast<double>(row.keys), static_cast<double>(row.plan.shape.cells),
                                         row.plan.shape.probes);
}

void add_row(Study& study, const Row& row, const Settings& settings) {
  const Measured& m = row.measured;
  study.table.rows.push_back({row.subject.name, row.keys, row.fpr, row.plan.shape.cells,
                              std::uint64_t{row.plan.shape.probes}, m.filters, m.probes, m.hits, textbook(row),
                              m.predicted, m.rate, m.interval.low, m.interval.high, m.run_deviation,
                              row.asking_deviation});
  // The article's way of choosing positions has a flaw of its own in tiny filters, which this study is to show.
  if (!row.subject.request.article)
    check_rate(study, fmt::format("{}, {} keys at {}", row.subject.name, row.keys, row.fpr), m, settings);
}

double bias(const Row& row) { return row.measured.rate / row.measured.predicted - 1; }
double spread(const Row& row) { return row.measured.run_deviation / row.measured.rate; }

// "+145% at 5 items, ..." for every size whose interval does not hold the prediction.
std::string strays(const std::vector<Row>& rows, std::string_view name, double fpr) {
  std::string text;
  for (const Row& row : rows)
    if (row.subject.name == name && row.fpr == fpr && !row.measured.interval.holds(row.measured.predicted))
      text += fmt::format("{}{:+.1f}% at {} items", text.empty() ? "" : ", ", 100 * bias(row), row.keys);
  return text.empty() ? "nowhere" : text;
}

// The same runs of the article's study, at two sizes.
std::string scatter(const std::vector<Row>& rows, double fpr) {
  std::string text;
  for (const Row& row : rows)
    if (row.subject.request.article && row.fpr == fpr && row.keys >= 100)
      text += fmt::format("{}{:.0f}% at {}", text.empty() ? "" : ", ", 100 * spread(row), row.keys);
  return text;
}

void conclude(Study& study, const std::vector<Row>& rows) {
  for (const std::string_view name : {"article", "classic"})
    for (const double fpr : kRates)
      study.findings.push_back(
          fmt::format("{} at {}: the mean over many runs strays from the prediction (beyond its 95% interval): {}.",
                      name == "article" ? "The article's rule" : "This library's rule", fpr, strays(rows, name, fpr)));
  for (const double fpr : kRates)
    study.findings.push_back(
        fmt::format("Single runs at {} scatter around their mean by (one standard deviation, by items): {}.", fpr,
                    scatter(rows, fpr)));
  double share = 1;
  for (const Row& row : rows)
    if (row.subject.request.article && row.keys >= 100 && row.measured.run_deviation > 0)
      share = std::min(share, std::pow(row.asking_deviation / row.measured.run_deviation, 2));
  study.findings.push_back(
      fmt::format("From 100 items on {:.0f}% or more of that scatter (of its variance) comes from asking only 10 times "
                  "as often as there are "
                  "items, the rest from which bits the items happened to set.",
                  100 * share));
}

Chart chart_of(const std::vector<Row>& rows) {
  Chart chart{.name = "small",
              .title = "The article's filters of few items (bars: one standard deviation of single runs)",
              .x_label = "items",
              .y_label = "measured / predicted",
              .log_y = false};
  for (const double fpr : kRates) {
    Series series{.name = fmt::format("article, {}", fpr), .line = false, .intervals = true};
    for (const Row& row : rows)
      if (row.fpr == fpr && row.subject.request.article) {
        const double ratio = row.measured.rate / row.measured.predicted,
                     bar = row.measured.run_deviation / row.measured.predicted;
        series.points.push_back(
            {static_cast<double>(row.keys) * (fpr == kRates[0] ? 1 : 1.08), ratio, {ratio - bar, ratio + bar}});
      }
    chart.series.push_back(series);
  }
  return chart;
}

}  // namespace

Study small_study(const Settings& settings) {
  Study study{.name = "small",
              .title = "The article's first finding: below about 500 items",
              .table = {.columns = {"filter", "keys", "target_fpr", "bits", "hashes", "filters", "probes", "hits",
                                    "textbook_fpr", "predicted_fpr", "measured_fpr", "low", "high", "run_deviation",
                                    "asking_deviation"}}};
  Random random(settings.seed + 2);
  std::vector<Row> rows;
  for (const Subject& subject : {article_subject(), classic_subject()})
    for (const double fpr : kRates)
      for (const std::uint64_t keys : kSizes) {
        rows.push_back(measure_row(subject, fpr, keys, settings, random));
        add_row(study, rows.back(), settings);
        settings.progress(static_cast<double>(rows.size()) / (2 * kRates.size() * kSizes.size()));
      }
  study.charts.push_back(chart_of(rows));
  conclude(study, rows);
  return study;
}

}  // namespace cli::experiment
