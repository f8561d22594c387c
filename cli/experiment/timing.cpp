// Time against size and number of hashes, for every cache level.
#include <fmt/format.h>

#include <array>
#include <memory>

#include "bloomery/file.hpp"
#include "cli/experiment/machine.hpp"
#include "cli/experiment/measure.hpp"
#include "cli/report.hpp"

namespace cli::experiment {
namespace {

using bloomery::Filter;
using bloomery::Hash;
using bloomery::Shape;

constexpr std::uint64_t kLeastBytes = 16 << 10, kMostBytes = 512 << 20, kMostQuickBytes = 1 << 20;

struct Layout {
  std::string name;
  bloomery::PlanRequest request;
};

std::vector<Layout> layouts() {
  std::vector<Layout> all;
  for (const unsigned k : {1u, 2u, 4u, 7u, 10u, 14u})
    all.push_back({fmt::format("classic, k = {}", k), {.kind = bloomery::Kind::classic, .hashes = k}});
  for (const unsigned k : {4u, 8u})
    all.push_back(
        {fmt::format("blocked, k = {}", k), {.kind = bloomery::Kind::blocked, .hashes = k, .lines_per_key = 1}});
  all.push_back({"blocked, 2 lines of k = 6", {.kind = bloomery::Kind::blocked, .hashes = 6, .lines_per_key = 2}});
  return all;
}

// A filter that is full as planned has half of its bits set: random bytes are one, and are there at once.
Filter half_full(const Layout& layout, std::span<const std::uint64_t> random_words, std::uint64_t bytes) {
  bloomery::PlanRequest request = layout.request;
  request.bits = 8 * bytes;
  const bloomery::Plan plan = take(bloomery::plan(request));
  bloomery::Parts parts;
  parts.segments.push_back({.shape = plan.shape, .bytes = std::as_bytes(random_words).first(plan.size_bytes)});
  return take(take(Filter::from_parts(std::move(parts))).clone());
}

void add_row(Study& study, const Layout& layout, std::string_view how, std::uint64_t bytes, const Speed& speed) {
  study.table.rows.push_back({layout.name, std::string(how), bytes, std::uint64_t{*layout.request.hashes},
                              speed.insert_ns, speed.ask_new_ns, speed.ask_held_ns});
}

Chart chart_over_size(std::string name, std::string title) {
  Chart chart{.name = std::move(name),
              .title = std::move(title),
              .x_label = "size of the filter, and of the caches",
              .y_label = "ns per key",
              .x_is_bytes = true};
  for (const auto& [cache, bytes] : this_machine().caches) chart.marks.emplace_back(cache, static_cast<double>(bytes));
  return chart;
}

struct Charts {
  Chart held = chart_over_size("time_held", "Asking for a key that is in, one at a time");
  Chart fresh = chart_over_size("time_new", "Asking for a key that is not in, one at a time");
  Chart batch = chart_over_size("time_batch", "Asking for keys that are in, in batches");
};

void start_series(Charts& charts, const std::string& name) {
  for (Chart* chart : {&charts.held, &charts.fresh, &charts.batch}) chart->series.push_back({.name = name});
}

void add_points(Charts& charts, std::uint64_t bytes, const Speed& one, const Speed& batch) {
  const auto x = static_cast<double>(bytes);
  charts.held.series.back().points.push_back({x, one.ask_held_ns, {}});
  charts.fresh.series.back().points.push_back({x, one.ask_new_ns, {}});
  charts.batch.series.back().points.push_back({x, batch.ask_held_ns, {}});
}

void conclude(Study& study, const Charts& charts) {
  for (const Series& series : charts.held.series)
    study.findings.push_back(
        fmt::format("{}: asking for a key that is in takes {:.1f} ns at {} and {:.1f} ns at {}.", series.name,
                    series.points.front().y, human_bytes(static_cast<std::uint64_t>(series.points.front().x)),
                    series.points.back().y, human_bytes(static_cast<std::uint64_t>(series.points.back().x))));
}

}  // namespace

Study time_study(const Settings& settings) {
  Study study{
      .name = "time",
      .title = "Time against size and number of hashes",
      .table = {.columns = {"filter", "how", "size_bytes", "hashes", "insert_ns", "ask_new_ns", "ask_held_ns"}}};
  Random random(settings.seed + 6);
  const std::uint64_t most = settings.quick ? kMostQuickBytes : kMostBytes, step = settings.quick ? 8 : 2;
  std::vector<std::uint64_t> words(most / sizeof(std::uint64_t));
  for (std::uint64_t& word : words) word = random.next();
  const std::uint64_t keys = settings.quick ? 20'000 : 400'000;
  std::vector<Hash> held(keys), strangers(keys);
  random_hashes(random, {}, held);
  random_hashes(random, {}, strangers);
  Charts charts;
  const std::vector<Layout> all = layouts();
  for (std::size_t i = 0; i < all.size(); ++i) {
    start_series(charts, all[i].name);
    for (std::uint64_t bytes = kLeastBytes; bytes <= most; bytes *= step) {
      Filter filter = half_full(all[i], words, bytes);
      const Speed one = speed_of(filter, held, strangers);
      filter = half_full(all[i], words, bytes);
      const Speed batch = batch_speed_of(filter, held, strangers);
      add_row(study, all[i], "single", bytes, one);
      add_row(study, all[i], "batch", bytes, batch);
      add_points(charts, bytes, one, batch);
    }
    settings.progress(static_cast<double>(i + 1) / static_cast<double>(all.size()));
  }
  conclude(study, charts);
  study.charts = {charts.held, charts.fresh, charts.batch};
  return study;
}

}  // namespace cli::experiment
