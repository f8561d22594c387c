// How one turn of a contestant is timed.
#pragma once
#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <span>

#include "harness.hpp"

namespace bench {

inline constexpr std::size_t kBatch = 16'384;  // keys in one call: what a caller would hand over at a time

// Calls work(batch) over all keys.
template <class Key, class Work>
void in_batches(std::span<const Key> keys, Work work) {
  for (std::size_t at = 0; at < keys.size(); at += kBatch) work(keys.subspan(at, std::min(kBatch, keys.size() - at)));
}

// A turn that repeats work(keys) for about `turn_seconds`: over part of the keys where it is slow, over all of them
// several times where it is fast. A quarter of a turn warms up first. Returns nanoseconds per key.
template <class Key, class Work>
std::function<double(unsigned)> steady_turn(std::span<const Key> keys, double turn_seconds, Work work) {
  const auto count = std::make_shared<double>(0);  // keys in a turn; 0: not known yet
  return [=](unsigned) {
    if (*count == 0) {
      const auto sample = keys.first(std::min(keys.size(), 4 * kBatch));
      work(sample);
      const double sample_seconds = std::max(1e-9, cpu_seconds([&] { work(sample); }));
      *count = std::max(1.0, turn_seconds / sample_seconds) * static_cast<double>(sample.size());
    }
    const double size = static_cast<double>(keys.size());
    const auto part = keys.first(static_cast<std::size_t>(std::min(*count, size)));
    const double passes = std::max(1.0, std::round(*count / size));
    work(part.last(part.size() / 4));
    const double took = cpu_seconds([&] {
      for (double pass = 0; pass < passes; ++pass) work(part);
    });
    return took * 1e9 / (passes * static_cast<double>(part.size()));
  };
}

// A turn of filling a filter: keys from the first to the last over all rounds, so that the last round leaves it full;
// a small filter is emptied and filled as a whole, again and again, in each round.
struct FillTurns {
  unsigned rounds;
  double turn_seconds;
  static constexpr std::size_t kWholeUpTo = 4'000'000;

  template <class Key, class Clear, class Work>
  std::function<double(unsigned)> operator()(std::span<const Key> keys, Clear clear, Work work) const {
    return [=, *this](unsigned round) {
      if (keys.size() > kWholeUpTo) {
        const std::size_t from = keys.size() * round / rounds, to = keys.size() * (round + 1) / rounds;
        if (round == 0) clear();
        return cpu_seconds([&] { work(keys.subspan(from, to - from)); }) * 1e9 / static_cast<double>(to - from);
      }
      double total = 0, passes = 0;
      for (; total < turn_seconds; ++passes) {
        clear();
        total += cpu_seconds([&] { work(keys); });
      }
      return total * 1e9 / (passes * static_cast<double>(keys.size()));
    };
  }
};

}  // namespace bench
