#include "harness.hpp"

#include <time.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>

namespace bench {
namespace {

double quantile(std::vector<double>& sorted, double q) {
  const double at = q * static_cast<double>(sorted.size() - 1);
  const auto low = static_cast<std::size_t>(std::floor(at)), high = static_cast<std::size_t>(std::ceil(at));
  return sorted[low] + (sorted[high] - sorted[low]) * (at - std::floor(at));
}

double now(clockid_t clock) {
  timespec time = {};
  clock_gettime(clock, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

double clock_seconds(clockid_t clock, const std::function<void()>& work) {
  const double start = now(clock);
  work();
  return now(clock) - start;
}

}  // namespace

std::vector<Series> run_rounds(const std::vector<Task>& tasks, unsigned rounds) {
  std::vector<Series> series;
  for (const Task& task : tasks) series.push_back({task.contestant, task.operation, {}});
  for (unsigned round = 0; round < rounds; ++round) {
    const std::size_t first = tasks.size() * round / rounds;
    for (std::size_t i = 0; i < tasks.size(); ++i) {
      const std::size_t turn = (first + i) % tasks.size();
      series[turn].ns.push_back(tasks[turn].run(round));
    }
  }
  return series;
}

double median(std::vector<double> values) {
  if (values.empty()) return std::nan("");
  std::sort(values.begin(), values.end());
  return quantile(values, 0.5);
}

double interquartile_range(std::vector<double> values) {
  if (values.empty()) return std::nan("");
  std::sort(values.begin(), values.end());
  return quantile(values, 0.75) - quantile(values, 0.25);
}

std::vector<double> ratios(const Series& a, const Series& b) {
  std::vector<double> result;
  std::transform(a.ns.begin(), a.ns.end(), b.ns.begin(), std::back_inserter(result), std::divides<>());
  return result;
}

double wall_seconds(const std::function<void()>& work) { return clock_seconds(CLOCK_MONOTONIC, work); }
double cpu_seconds(const std::function<void()>& work) { return clock_seconds(CLOCK_PROCESS_CPUTIME_ID, work); }

}  // namespace bench
