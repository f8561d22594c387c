#include "plan/coincidence.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "plan/line_rates.hpp"
#include "plan/tables.hpp"

namespace bloomery::plan_model {

namespace {

double choose(unsigned n, unsigned k) noexcept {
  double ways = 1;
  for (unsigned i = 1; i <= k; ++i) ways = ways * (n - k + i) / i;
  return ways;
}

// P(two bits in two words are set) / P(one is)^2 after j patterns of one bit each: a pattern sets only one.
double pair_factor_of_one_probe(double load) noexcept {
  constexpr double kTouch = 1.0 / 512;
  const double one = -std::expm1(load * std::log1p(-kTouch));
  const double clear = std::exp(2 * load * std::log1p(-kTouch));
  const double lost = std::expm1(load * std::log1p(-kTouch * kTouch / ((1 - kTouch) * (1 - kTouch))));
  return std::fmax(0, 1 + clear * lost / (one * one));
}

// Every pattern touches k words exactly, so words do not fill independently. What that does to the k(k-1)/2
// pairs of one pattern is known exactly; every pair of bits in different words is taken to be alike.
double pair_factor(unsigned probes, double load, double one_word) noexcept {
  if (probes == 1) return pair_factor_of_one_probe(load);
  const double pairs = probes * (probes - 1) / 2.0;
  return std::pow(LineRates::of(probes).at(load) / std::pow(one_word, probes), 1 / pairs);
}

// In nearly empty lines the pairs cease to be alike. This much of their exponent is left: fitted to simulated
// lines, and on the safe side of them (the tests of this file hold it to that).
double damping(double load, unsigned patterns) noexcept { return load / (load + (patterns - 1) / 2.0); }

}  // namespace

void WordFill::add_pattern() noexcept {
  for (unsigned bits = kBits; bits > 0; --bits) {
    const double from_below = touch_ * (kBits - bits + 1) / kBits;
    const double stays = 1 - touch_ + touch_ * bits / kBits;
    mass_[bits] = mass_[bits] * stays + mass_[bits - 1] * from_below;
  }
  mass_[0] *= 1 - touch_;
}

WordMoments WordFill::moments() const noexcept {
  WordMoments moments{};
  for (unsigned bits = 0; bits <= kBits; ++bits) {
    double power = mass_[bits];
    for (double& moment : moments) {
      moment += power;
      power *= static_cast<double>(bits) / kBits;
    }
  }
  return moments;
}

SharedWords::SharedWords(unsigned probes, unsigned patterns) noexcept {
  add({{8}, 1});
  for (unsigned i = 0; i < patterns; ++i) add_pattern(probes);
}

double SharedWords::rate(const WordMoments& moments, double pair_factor) const noexcept {
  const double log_factor = std::log(pair_factor);
  double sum = 0;
  for (std::size_t i = 0; i < size_; ++i) {
    double product = cases_[i].chance;
    unsigned bits = 0, in_one_word = 0;
    for (unsigned c = 1; c <= kMaxPatterns; ++c) {
      bits += c * cases_[i].counts[c];
      in_one_word += c * c * cases_[i].counts[c];
      for (unsigned word = 0; word < cases_[i].counts[c]; ++word) product *= moments[c];
    }
    const unsigned pairs = (bits * bits - in_one_word) / 2;
    sum += pairs == 0 ? product : product * std::exp(pairs * log_factor);
  }
  return sum;
}

void SharedWords::add_pattern(unsigned probes) noexcept {
  const std::array<Case, kMaxCases> before = cases_;
  const std::size_t count = std::exchange(size_, 0);
  for (std::size_t i = 0; i < count; ++i) {
    Case start = before[i];
    start.chance /= choose(8, probes);
    spread(before[i], start, 0, probes);
  }
}

// Chooses how many of the words at `level` the new pattern touches, `left` words in all from here on.
void SharedWords::spread(const Case& from, Case to, unsigned level, unsigned left) noexcept {
  if (left == 0) return add(to);
  if (level == kMaxPatterns) return;
  for (unsigned touched = 0; touched <= std::min<unsigned>(left, from.counts[level]); ++touched) {
    Case next = to;
    next.chance *= choose(from.counts[level], touched);
    next.counts[level] = static_cast<unsigned char>(next.counts[level] - touched);
    next.counts[level + 1] = static_cast<unsigned char>(next.counts[level + 1] + touched);
    spread(from, next, level + 1, left - touched);
  }
}

void SharedWords::add(const Case& found) noexcept {
  const auto end = cases_.begin() + static_cast<std::ptrdiff_t>(size_);
  const auto same = std::find_if(cases_.begin(), end, [&](const Case& known) { return known.counts == found.counts; });
  if (same != end) same->chance += found.chance;
  else cases_[size_++] = found;
}

SharedRates::SharedRates(unsigned probes, unsigned patterns) noexcept : probes_(probes), patterns_(patterns) {
  const SharedWords words(probes, patterns);
  WordFill fill(probes);
  rates_[0] = 0;
  for (std::size_t j = 1; j < rates_.size(); ++j) {
    fill.add_pattern();
    const WordMoments moments = fill.moments();
    const double load = static_cast<double>(j);
    rates_[j] = words.rate(moments, std::pow(pair_factor(probes, load, moments[1]), damping(load, patterns)));
  }
}

double SharedRates::at(double load) const noexcept {
  if (load < kMaxLoad) return rates_[static_cast<std::size_t>(load)];
  return std::pow(LineRates::of(probes_).at(load), patterns_);
}

const SharedRates& SharedRates::of(unsigned probes, unsigned patterns) noexcept {
  using Make = decltype([](auto i) -> const SharedRates& {
    static const SharedRates rates(i / kMaxPatterns + 1, i % kMaxPatterns + 1);
    return rates;
  });
  return one_of<SharedRates, 8 * kMaxPatterns, Make>((probes - 1) * kMaxPatterns + patterns - 1);
}

}  // namespace bloomery::plan_model
