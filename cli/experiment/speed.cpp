// Times, for experiment/measure.hpp.
#include <algorithm>
#include <chrono>
#include <limits>
#include <memory>

#include "cli/experiment/measure.hpp"
#include "cli/report.hpp"

namespace cli::experiment {
namespace {

using bloomery::Hash;

constexpr unsigned kRuns = 3;

// Keeps the compiler from leaving out work whose result nobody reads.
void keep(std::uint64_t value) { asm volatile("" : : "r"(value)); }

}  // namespace

double best_ns(std::uint64_t keys, unsigned runs, const std::function<void()>& work) {
  using Clock = std::chrono::steady_clock;
  double best = std::numeric_limits<double>::infinity();
  for (unsigned run = 0; run < runs; ++run) {
    const auto start = Clock::now();
    work();
    best = std::min(best, std::chrono::duration<double, std::nano>(Clock::now() - start).count());
  }
  return best / static_cast<double>(keys);
}

Speed speed_of(bloomery::Filter& filter, std::span<const Hash> held, std::span<const Hash> strangers) {
  const auto ask = [&filter](std::span<const Hash> keys) {
    return best_ns(keys.size(), kRuns, [&] {
      std::uint64_t hits = 0;
      for (const Hash key : keys) hits += filter.may_contain(key) ? 1U : 0U;
      keep(hits);
    });
  };
  Speed speed;
  speed.ask_new_ns = ask(strangers);  // before anything changes
  speed.insert_ns = best_ns(held.size(), kRuns, [&] {
    for (const Hash key : held) take(filter.insert(key));
  });
  speed.ask_held_ns = ask(held);
  return speed;
}

Speed batch_speed_of(bloomery::Filter& filter, std::span<const Hash> held, std::span<const Hash> strangers) {
  const auto answers = std::make_unique<bool[]>(std::max(held.size(), strangers.size()));
  const auto ask = [&](std::span<const Hash> keys) {
    return best_ns(keys.size(), kRuns, [&] { keep(filter.may_contain(keys, std::span(answers.get(), keys.size()))); });
  };
  Speed speed;
  speed.ask_new_ns = ask(strangers);
  speed.insert_ns = best_ns(held.size(), kRuns, [&] { take(filter.insert(held)); });
  speed.ask_held_ns = ask(held);
  return speed;
}

}  // namespace cli::experiment
