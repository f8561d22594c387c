#include "special.hpp"

#include <bloomery/filter.hpp>
#include <bloomery/kernel.hpp>
#include <thread>

#include "inline_single.hpp"
#include "or_die.hpp"
#include "ours.hpp"
#include "timing.hpp"

namespace bench {
namespace {

using bloomery::Filter;
using bloomery::Plan;

constexpr std::uint64_t kFprKeys = 2'000'000;

void fill(Filter& filter, std::uint64_t keys) {
  const KeyArray<std::uint64_t> members(keys, [](std::uint64_t i) { return i; });
  in_batches(members.keys(), [&](Words batch) { or_die(filter.insert(batch)); });
}

Filter filled(const Plan& plan, std::uint64_t keys) {
  Filter filter = or_die(Filter::create(plan, bloomery::Hasher{}));
  fill(filter, keys);
  return filter;
}

std::uint64_t look_up(const Filter& filter, Words keys) {
  std::array<bool, kBatch> out;
  std::uint64_t maybes = 0;
  in_batches(keys, [&](Words batch) { maybes += filter.may_contain(batch, std::span(out.data(), batch.size())); });
  return maybes;
}

KeyArray<std::uint64_t> misses(std::uint64_t count) {
  return {count, [](std::uint64_t i) { return (std::uint64_t{1} << 48) + i; }};
}

Plan plan_by_bits(std::uint64_t keys, double bits_per_key) {
  return or_die(bloomery::plan({.keys = keys, .bits_per_key = bits_per_key}));
}

void keep(const Scenario& scenario, const std::vector<Task>& tasks, unsigned rounds, Results& results) {
  for (Series& s : run_rounds(tasks, rounds)) results.measurements.push_back({scenario, std::move(s), {}});
}

}  // namespace

void measure_threads(std::uint64_t keys, const Effort& effort, Results& results) {
  const Filter filter = filled(plan_by_bits(keys, 10), keys);
  const KeyArray<std::uint64_t> probes = misses(4 * effort.probes);
  const auto turn = [&](unsigned threads) {
    return [&, threads](unsigned) {
      const std::size_t part = probes.keys().size() / threads;
      const double took = wall_seconds([&] {
        std::vector<std::thread> others;
        for (unsigned t = 1; t < threads; ++t)
          others.emplace_back([&, t] { look_up(filter, probes.keys().subspan(t * part, part)); });
        look_up(filter, probes.keys().first(part));
        for (std::thread& thread : others) thread.join();
      });
      return took * 1e9 / static_cast<double>(probes.keys().size());
    };
  };
  for (const std::string& kernel : kernels_to_show(Field::fast)) {
    const auto with_kernel = [&](unsigned threads) {
      return [&, threads](unsigned round) {
        or_die(bloomery::use_kernel(kernel));
        return turn(threads)(round);
      };
    };
    const std::string name = ours_with(kernel);
    keep({{keys, 10}, kThreads}, {{name, "one thread", with_kernel(1)}, {name, "two threads", with_kernel(2)}},
         effort.rounds, results);
  }
}

void measure_lines_per_key(std::uint64_t keys, const Effort& effort, Results& results) {
  const Plan two_lines = or_die(bloomery::plan({.keys = keys, .fpr = 1e-6}));
  const Plan one_line = or_die(bloomery::plan({.fpr = 0.01, .bits = two_lines.size_bytes * 8, .lines_per_key = 1}));
  const Filter rare = filled(two_lines, keys), common = filled(one_line, one_line.keys);
  const KeyArray<std::uint64_t> probes = misses(effort.probes);
  for (const std::string& kernel : kernels_to_show(Field::fast)) {
    const auto turn = [&](const Filter& filter) {
      return steady_turn(probes.keys(), effort.task_seconds, [&](Words part) {
        or_die(bloomery::use_kernel(kernel));
        look_up(filter, part);
      });
    };
    const std::string name = ours_with(kernel);
    keep({{keys, 10}, kLines}, {{name, "p = 1e-6", turn(rare)}, {name, "p = 0.01, same bytes", turn(common)}},
         effort.rounds, results);
  }
}

void measure_inline(const Effort& effort, Results& results) {
  constexpr std::uint64_t kKeys = 100'000;
  const Filter filter = filled(plan_by_bits(kKeys, 10), kKeys);
  const bloomery::Segment& segment = filter.segments()[0];
  const KeyArray<std::uint64_t> probes = misses(effort.probes);
  const auto single = [&](auto function) {
    return steady_turn(probes.keys(), effort.task_seconds, [&, function](Words part) {
      in_batches(part, [&](Words b) { function(segment.shape, segment.bytes, b.data(), b.size()); });
    });
  };
  for (const std::string& kernel : kernels_to_show(Field::fast)) {
    const auto batch = steady_turn(probes.keys(), effort.task_seconds, [&](Words part) {
      or_die(bloomery::use_kernel(kernel));
      look_up(filter, part);
    });
    const std::string name = ours_with(kernel);
    keep({{kKeys, 10}, kInline},
         {{name, "batch", batch},
          {name, "inline, this processor", single(lookup_inline_native)},
          {name, "inline, any x86-64", single(lookup_inline_baseline)}},
         effort.rounds, results);
  }
}

void measure_fpr(double bits_per_key, std::uint64_t probes, Results& results) {
  const Filter filter = filled(plan_by_bits(kFprKeys, bits_per_key), kFprKeys);
  constexpr std::uint64_t kRun = 1 << 20;
  std::uint64_t wrong = 0, asked = 0;
  for (; asked < probes; asked += kRun) {
    const KeyArray<std::uint64_t> strangers(kRun, [=](std::uint64_t i) { return stranger(asked + i); });
    wrong += look_up(filter, strangers.keys());
  }
  const double bits = static_cast<double>(filter.size_bytes()) * 8 / static_cast<double>(kFprKeys);
  results.facts.push_back({{{kFprKeys, bits_per_key}, "many strangers"},
                           kOurs,
                           bits,
                           static_cast<double>(wrong) / static_cast<double>(asked),
                           static_cast<double>(asked),
                           huge_share(filter.segments()[0].bytes)});
}

}  // namespace bench
