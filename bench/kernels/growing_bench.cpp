// Growing filters: the memory and the segments at every size by the planner, and what a filter that really grew
// costs beside one that was planned.
//   growing_bench --model
//   growing_bench [KEYS [FACTOR]]        default 1e8 and Growth::most_memory
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "bloomery/filter.hpp"
#include "bloomery/layout/blocked.hpp"
#include "kernels/processor_time.hpp"

namespace {

using namespace bloomery;

Hash nth_hash(std::uint64_t i) { return {mix(mix(i * 2 + 1) + kGolden), mix(mix(i * 2 + 1'000'000'007) + kGolden)}; }

double planned_bytes(std::uint64_t keys, double fpr) {
  return static_cast<double>(plan({.keys = keys, .fpr = fpr})->size_bytes);
}

// What a line of a run of so many bytes costs in ns, by chains of one line that were measured (docs/fpr.md).
double line_cost(double bytes) {
  const double megabytes = bytes / 1e6;
  return megabytes < 6 ? 4.5 : megabytes < 12 ? 4.8 : megabytes < 30 ? 6.5 : megabytes < 60 ? 7.3 : 7.8;
}
constexpr double kNextLineCost = 2.5;  // of one beside it

template <class Visit>
void each_group(std::span<const Shape> segments, Visit visit) {
  for (std::size_t i = 0, ways = 1; i < segments.size(); i += ways) {
    for (ways = 1; ways < kMostWays && i + ways < segments.size(); ++ways)
      if (segments[i + ways].cells != segments[i].cells) break;
    visit(Blocked::size_bytes(segments[i]), ways);
  }
}

double miss_cost(std::span<const Shape> segments) {
  double sum = 0;
  each_group(segments, [&](std::uint64_t bytes, std::size_t ways) {
    sum += line_cost(static_cast<double>(bytes * ways)) + kNextLineCost * static_cast<double>(ways - 1);
  });
  return sum;
}

// As megabytes x ways.
std::string groups_of(std::span<const Shape> segments) {
  std::string text;
  each_group(segments, [&](std::uint64_t bytes, std::size_t ways) {
    text += std::to_string(bytes / 1'000'000) + "x" + std::to_string(ways) + " ";
  });
  return text;
}

// From the end of remembering up to `most` keys: the worst ratio to a planned filter, and the mean over n.
void model(const Growth& growth, std::uint64_t most) {
  std::uint64_t keys = growth.remember_keys, bytes = 0, capacity = 0;
  std::vector<Shape> segments;
  double worst = 0, sum = 0, rate = 0;
  const auto budget = static_cast<double>(first_bytes(growth.remember_keys));
  const auto ratio_at = [&](double n) {
    return static_cast<double>(bytes) / std::max(budget, planned_bytes(static_cast<std::uint64_t>(n), growth.fpr));
  };
  while (capacity < most) {
    const auto next = plan_segment(growth, segments, keys);
    if (!next) return static_cast<void>(std::fprintf(stderr, "%s\n", next.error().message.c_str()));
    segments.push_back(next->shape);
    bytes += next->size_bytes;
    capacity += next->keys;
    rate += next->fpr;
    worst = std::max(worst, ratio_at(static_cast<double>(keys)));
    const std::uint64_t last = std::min(capacity, most);
    constexpr int kSteps = 16;  // of the mean of bytes / planned over keys .. last
    for (int i = 0; i < kSteps; ++i) {
      const double n = static_cast<double>(keys) + (i + 0.5) / kSteps * static_cast<double>(last - keys);
      sum += ratio_at(n) * static_cast<double>(last - keys) / kSteps;
    }
    keys = capacity;
  }
  const double mean = sum / static_cast<double>(most - growth.remember_keys);
  std::printf("%-8g %10llu %8.2g  %14llu %9zu %6.2f %6.2f %8.2f %6.2f  %.3g  %s\n", growth.fpr,
              static_cast<unsigned long long>(growth.remember_keys), growth.most_memory,
              static_cast<unsigned long long>(most), segments.size(), worst, mean, ratio_at(static_cast<double>(most)),
              miss_cost(segments) / line_cost(planned_bytes(most, growth.fpr)), rate, groups_of(segments).c_str());
}

void models() {
  std::printf(
      "fpr      remembered   factor            keys  segments  worst   mean   at keys   miss  sum of rates  groups\n");
  for (const double fpr : {0.01, 1e-4, 1e-6})
    for (const std::uint64_t remembered : {std::uint64_t{100'000}, std::uint64_t{1'000'000}, std::uint64_t{4'000'000}})
      for (const double factor : {2.0, 2.2, 2.4, 2.6, 2.8, 3.2, 3.6, 5.0, 8.0, 16.0})
        for (const std::uint64_t most :
             {std::uint64_t{100'000'000}, std::uint64_t{1'000'000'000}, std::uint64_t{1} << 40})
          model({.fpr = fpr, .remember_keys = remembered, .most_memory = factor}, most);
}

void fill(Filter& filter, std::uint64_t first, std::uint64_t count) {
  constexpr std::uint64_t kBatch = 1 << 16;
  std::vector<Hash> batch(kBatch);
  for (std::uint64_t at = 0; at < count; at += kBatch) {
    const std::uint64_t some = std::min(kBatch, count - at);
    for (std::uint64_t i = 0; i < some; ++i) batch[i] = nth_hash(first + at + i);
    if (!filter.insert(std::span<const Hash>(batch).first(some))) std::abort();
  }
}

constexpr std::uint64_t kStrangers = 4 << 20;

struct Asked {
  double ns = 1e300;
  double rate = 0;
};

void ask(const Filter& filter, std::span<const Hash> strangers, bool* out, Asked& to) {
  const double start = processor_ns();
  const std::uint64_t maybes = filter.may_contain(strangers, {out, strangers.size()});
  to.ns = std::min(to.ns, (processor_ns() - start) / static_cast<double>(strangers.size()));
  to.rate = static_cast<double>(maybes) / static_cast<double>(strangers.size());
}

// Both filters, in turns, so that the machine's moods hit both.
void compare(const Filter& grown, std::uint64_t keys, double fpr, std::span<const Hash> strangers, bool* out) {
  auto planned = Filter::create(Spec{.expected_keys = keys, .fpr = fpr, .hasher = Hasher::precomputed()});
  if (!planned) std::abort();
  fill(*planned, 0, keys);
  Asked a, b;
  for (int turn = 0; turn < 5; ++turn) {
    ask(*planned, strangers, out, a);
    ask(grown, strangers, out, b);
  }
  const double ratio = static_cast<double>(grown.memory_bytes()) / static_cast<double>(planned->memory_bytes());
  std::printf("%12llu %9zu %8.2f %9.5f %9.5f %8.2f %8.2f %7.2f\n", static_cast<unsigned long long>(keys),
              grown.segments().size(), ratio, b.rate, a.rate, a.ns, b.ns, b.ns / a.ns);
  std::fflush(stdout);
}

void build(const Growth& growth, std::uint64_t most) {
  std::vector<Hash> strangers(kStrangers);
  for (std::uint64_t i = 0; i < kStrangers; ++i) strangers[i] = nth_hash((std::uint64_t{1} << 40) + i);
  const auto out = std::make_unique<bool[]>(kStrangers);
  auto grown = Filter::create(growth, Hasher::precomputed());
  if (!grown) std::abort();
  std::printf("grown at fpr %g, factor %g, %llu remembered\n", growth.fpr, growth.most_memory,
              static_cast<unsigned long long>(growth.remember_keys));
  std::printf("        keys  segments   memory  rate      planned's  planned    grown   ratio   (ns for each miss)\n");
  std::uint64_t keys = 0;
  for (std::uint64_t stop = growth.remember_keys + growth.remember_keys / 10; keys < most; stop = stop * 5 / 2) {
    const std::uint64_t next = std::min(stop, most);
    fill(*grown, keys, next - keys);
    keys = next;
    compare(*grown, keys, growth.fpr, strangers, out.get());
  }
}

}  // namespace

int main(int argc, char** argv) {
  const bool only_model = argc > 1 && std::strcmp(argv[1], "--model") == 0;
  if (only_model) {
    models();
    return 0;
  }
  const double most = argc > 1 ? std::strtod(argv[1], nullptr) : 1e8;
  const double factor = argc > 2 ? std::strtod(argv[2], nullptr) : Growth{}.most_memory;
  build({.most_memory = factor}, static_cast<std::uint64_t>(most));
  return 0;
}
