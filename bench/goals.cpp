#include "goals.hpp"

#include <fmt/format.h>
#include <fmt/ostream.h>

#include <optional>

#include "ours.hpp"
#include "peers/peers.hpp"
#include "special.hpp"

namespace bench {
namespace {

using Measured = std::optional<double>;  // none: this run did not measure it

struct Goal {
  std::string work;
  enum class Bound { at_most, at_least } bound;
  double limit;
  std::function<Measured(const Results&, const std::string& ours)> measured;
};

constexpr auto kAtMost = Goal::Bound::at_most;
constexpr auto kAtLeast = Goal::Bound::at_least;

Scenario hashes(std::uint64_t keys, double bits = 10) { return {{keys, bits}}; }

Measured over_limit(const Measurement* m) {
  if (m == nullptr || m->to_limit.empty()) return {};
  return median(m->to_limit);
}

// The median of a/b within the rounds. REQUIRES: operations of one phase.
Measured quotient(const Measurement* a, const Measurement* b) {
  if (a == nullptr || b == nullptr || a->series.ns.size() != b->series.ns.size()) return {};
  return median(ratios(a->series, b->series));
}

Goal near_limit(std::string work, const Scenario& scenario, std::string operation, double limit) {
  return {std::move(work), kAtMost, limit,
          [=](const Results& r, const std::string& ours) { return over_limit(r.find(scenario, ours, operation)); }};
}

// How many times as long `other` takes as ours.
Goal faster(std::string work, const Scenario& scenario, std::string other, std::string operation, double times) {
  return {std::move(work), kAtLeast, times, [=](const Results& r, const std::string& ours) {
            return quotient(r.find(scenario, other, operation), r.find(scenario, ours, operation));
          }};
}

// One operation of ours over another.
Goal within(std::string work, Goal::Bound bound, const Scenario& scenario, std::string a, std::string b, double limit) {
  return {std::move(work), bound, limit, [=](const Results& r, const std::string& ours) {
            return quotient(r.find(scenario, ours, a), r.find(scenario, ours, b));
          }};
}

// The slowest bulk build, whatever its scratch, over direct insertion.
Measured slowest_build(const Results& results, const std::string& ours) {
  Measured slowest;
  for (const Measurement& m : results.measurements) {
    if (m.series.contestant != ours || m.series.operation.rfind("build", 0) != 0) continue;
    const Measured ratio = quotient(&m, results.find(m.scenario, ours, kDirect));
    if (ratio) slowest = std::max(slowest.value_or(0), *ratio);
  }
  return slowest;
}

Goal rate(double bits_per_key, double limit) {
  return {fmt::format("false positives at {} bits per key", bits_per_key), kAtMost, limit,
          [=](const Results& r, const std::string&) -> Measured {
            const Scenario scenario = {{2'000'000, bits_per_key}, "many strangers"};
            if (const Facts* f = r.find_facts(scenario, kOurs)) return f->fpr;
            return {};
          }};
}

void add_lookups(std::vector<Goal>& goals, std::uint64_t keys, const char* words, double bits, double limit) {
  for (const char* operation : {"miss", "hit"})
    goals.push_back(near_limit(fmt::format("batch {}, {}, over the read limit", operation, words), hashes(keys, bits),
                               operation, limit));
}

void add_urls(std::vector<Goal>& goals) {
  const Scenario urls = {{20'000'000, 10}, "URLs"};
  for (const char* operation : {"insert", "miss", "hit"}) {
    const std::string work = fmt::format("20 M URLs, {}, hashing included: times faster than", operation);
    goals.push_back(faster(work + " the article's filter", urls, kArticle, operation, 15));
#if defined(__x86_64__)
    goals.push_back(faster(work + " multiblock with XXH3", urls, peers::kMultiblock.name, operation, 1.8));
#endif
  }
}

void add_builds(std::vector<Goal>& goals) {
  const Scenario many = hashes(200'000'000), most = hashes(1'000'000'000, 12);
  goals.push_back(near_limit("direct batch insert, 200 M, over the modify limit", many, "insert", 1.1));
  goals.push_back(
      near_limit("build, 200 M, 8 bytes of scratch per key, over the modify limit", many, "build, 8 B per key", 0.65));
  goals.push_back(near_limit("build, 200 M, 256 MiB of scratch, over the modify limit", many, "build, 256 MiB", 0.85));
  goals.push_back({"build at any scratch, over direct insertion", kAtMost, 1.05, slowest_build});
  goals.push_back(near_limit("build, 1 G at 12 bits, scratch of the filter's size, over the modify limit", most,
                             "build, the filter's size", 0.8));
  Scenario small_pages = many;
  small_pages.pages = "4K";
  goals.push_back(within("4 KiB pages, 200 M: direct insertion over build", kAtLeast, small_pages, kDirect,
                         "build, the filter's size", 1.8));
}

std::vector<Goal> all_goals() {
  std::vector<Goal> goals;
  add_lookups(goals, 200'000'000, "200 M keys", 10, 1.08);
  add_lookups(goals, 1'000'000'000, "1 G keys, 12 bits", 12, 1.08);
  add_lookups(goals, 20'000'000, "20 M keys", 10, 1.25);
  add_lookups(goals, 100'000, "100 k keys", 10, 1.3);
#if defined(__x86_64__)
  for (const char* operation : {"miss", "hit"})
    goals.push_back(faster(fmt::format("batch {}, 100 k keys: times faster than k free probes", operation),
                           hashes(100'000), peers::kFreeProbes.name, operation, 1.6));
#endif
  add_builds(goals);
  const std::pair<double, double> rates[] = {{8, 0.0235}, {10, 0.0098}, {12, 0.00423}, {16, 0.00093}};
  for (const auto& [bits, limit] : rates) goals.push_back(rate(bits, limit));
  add_urls(goals);
  goals.push_back(within("lookup at 200 M: one thread over two", kAtLeast, {{200'000'000, 10}, kThreads}, "one thread",
                         "two threads", 1.6));
  goals.push_back(within("p = 1e-6, miss at 20 M keys, over p = 0.01 in as many bytes", kAtMost,
                         {{20'000'000, 10}, kLines}, "p = 1e-6", "p = 0.01, same bytes", 1.3));
  goals.push_back(within("inline single lookup for this processor, L2, over batch", kAtMost, {{100'000, 10}, kInline},
                         "inline, this processor", "batch", 1.1));
  goals.push_back(within("inline single lookup for any x86-64, L2, over batch", kAtMost, {{100'000, 10}, kInline},
                         "inline, any x86-64", "batch", 2.5));
  return goals;
}

bool met(const Goal& goal, double measured) {
  return goal.bound == kAtMost ? measured <= goal.limit : measured >= goal.limit;
}

}  // namespace

unsigned write_goals(const Results& results, const std::vector<std::string>& kernels, std::ostream& out) {
  unsigned missed = 0;
  fmt::print(out, "## Goals\n\n| work (10 bits per key unless said) | goal |");
  for (const std::string& kernel : kernels) fmt::print(out, " {} | |", kernel);
  fmt::print(out, "\n|---|---|");
  for (std::size_t i = 0; i < kernels.size(); ++i) fmt::print(out, "---|---|");
  for (const Goal& goal : all_goals()) {
    fmt::print(out, "\n| {} | {} {:g} |", goal.work, goal.bound == kAtMost ? "at most" : "at least", goal.limit);
    for (const std::string& kernel : kernels) {
      const Measured measured = goal.measured(results, ours_with(kernel));
      if (!measured) {
        fmt::print(out, " - | not measured |");
        continue;
      }
      fmt::print(out, " {:.4g} | {} |", *measured, met(goal, *measured) ? "met" : "**missed**");
      missed += !met(goal, *measured);
    }
  }
  fmt::print(out, "\n");
  return missed;
}

}  // namespace bench
