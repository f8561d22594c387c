#include "cli/closest.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <vector>

namespace cli {

std::size_t edit_distance(std::string_view from, std::string_view to) {
  std::vector<std::size_t> two_above(to.size() + 1), above(to.size() + 1), row(to.size() + 1);
  std::iota(above.begin(), above.end(), std::size_t{0});
  for (std::size_t i = 1; i <= from.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= to.size(); ++j) {
      const std::size_t replaced = above[j - 1] + (from[i - 1] != to[j - 1]);
      row[j] = std::min({above[j] + 1, row[j - 1] + 1, replaced});
      if (i > 1 && j > 1 && from[i - 1] == to[j - 2] && from[i - 2] == to[j - 1])
        row[j] = std::min(row[j], two_above[j - 2] + 1);
    }
    two_above.swap(above);
    above.swap(row);
  }
  return above[to.size()];
}

std::string_view closest(std::string_view word, std::span<const std::string_view> candidates) {
  constexpr std::size_t kLettersPerError = 3, kLeastPrefix = 3;
  std::string_view best;
  std::size_t least = std::max<std::size_t>(1, word.size() / kLettersPerError) + 1;
  for (const std::string_view candidate : candidates) {
    const bool goes_on = word.size() >= kLeastPrefix && candidate.starts_with(word);
    const std::size_t distance = goes_on ? 1 : edit_distance(word, candidate);
    if (distance == least) best = {};
    if (distance >= least || distance >= candidate.size()) continue;
    best = candidate;
    least = distance;
  }
  return best;
}

std::string did_you_mean(std::string_view word, std::span<const std::string_view> candidates) {
  const std::string_view meant = closest(word, candidates);
  return meant.empty() ? std::string() : fmt::format("; did you mean '{}'?", meant);
}

std::string unknown_name(std::string_view argument, std::string_view word,
                         std::span<const std::string_view> allowed) {
  const std::string guess = did_you_mean(word, allowed);
  return fmt::format("{}: '{}' is unknown{} allowed are {}", argument, word, guess.empty() ? ";" : guess,
                     fmt::join(allowed, ", "));
}

}  // namespace cli
