#include "cli/experiment/measure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "bloomery/layout/windowed.hpp"
#include "cli/report.hpp"

namespace cli::experiment {
namespace {

using bloomery::Filter;
using bloomery::Hash;
using bloomery::Kind;
using bloomery::Plan;

// What one filter of a measurement showed.
struct Shown {
  double predicted = 0, from_bits = 0, rate = 0;
};

double mean(const std::vector<Shown>& shown, double Shown::*value) {
  double sum = 0;
  for (const Shown& one : shown) sum += one.*value;
  return sum / static_cast<double>(shown.size());
}

double variance(const std::vector<Shown>& shown, double Shown::*value) {
  if (shown.size() < 2) return 0;
  const double middle = mean(shown, value);
  double sum = 0;
  for (const Shown& one : shown) sum += (one.*value - middle) * (one.*value - middle);
  return sum / static_cast<double>(shown.size() - 1);
}

// How many distinct keys a segment was offered: those that it took, and those that it took for repeats, which set none
// of its bits: the integral of the rate over what was offered after those that came from memory, as they were.
std::uint64_t offered_keys(const bloomery::Segment& segment, double remembered) {
  constexpr unsigned kSteps = 16, kRounds = 8;
  const auto taken = static_cast<double>(segment.keys_inserted);
  double offered = taken;
  for (unsigned round = 0; round < kRounds; ++round) {
    double mean_rate = 0;
    for (unsigned step = 0; step < kSteps; ++step) {
      const double keys = remembered + (offered - remembered) * (step + 0.5) / kSteps;
      mean_rate += bloomery::expected_fpr(segment.shape, static_cast<std::uint64_t>(keys)) / kSteps;
    }
    offered = taken + (offered - remembered) * mean_rate;
  }
  return static_cast<std::uint64_t>(offered);
}

double predicted_rate(const Subject& subject, const Filter& filter, std::uint64_t keys) {
  if (!subject.remembered_share) return bloomery::expected_fpr(filter.segments().front().shape, keys);
  double passes_none = 1, remembered = std::floor(*subject.remembered_share * static_cast<double>(keys));
  for (const bloomery::Segment& segment : filter.segments()) {
    passes_none *= 1 - bloomery::expected_fpr(segment.shape, offered_keys(segment, remembered));
    remembered = 0;
  }
  return 1 - passes_none;
}

// Filters of one plan have one prediction, which takes its time for the small ones.
class Predictions {
 public:
  Predictions(const Subject& subject, std::uint64_t keys) : subject_(subject), keys_(keys) {}

  double of(const Filter& filter) {
    const bloomery::Shape shape = filter.segments().front().shape;
    if (!known_ || shape_ != shape || subject_.remembered_share) rate_ = predicted_rate(subject_, filter, keys_);
    shape_ = shape;
    known_ = true;
    return rate_;
  }

 private:
  const Subject& subject_;
  std::uint64_t keys_;
  bloomery::Shape shape_ = {};  // that rate_ is of, if it is known
  bool known_ = false;
  double rate_ = 0;
};

// Probes of one filter depend on each other: all meet the same bits. So many independent ones, each of a filter of its
// own, would be as good (Kish's design effect). How much filters differ is known from their bits.
double independent_trials(const Measured& m, double variance_between) {
  const double trials = static_cast<double>(m.probes);
  const double rate = m.from_bits;
  if (rate <= 0 || rate >= 1) return trials;
  const double of_asking = rate * (1 - rate) / trials;
  const double of_filters = variance_between / static_cast<double>(m.filters);
  return trials * of_asking / (of_asking + of_filters);
}

void summarize(Measured& m, const std::vector<Shown>& shown) {
  m.predicted = mean(shown, &Shown::predicted);
  m.from_bits = mean(shown, &Shown::from_bits);
  m.run_deviation = std::sqrt(variance(shown, &Shown::rate));
  m.rate = static_cast<double>(m.hits) / static_cast<double>(m.probes);
  m.trials = independent_trials(m, variance(shown, &Shown::from_bits));
  m.interval = m.wide(kShownError);
}

// Asks for `probes` random items, in pieces that stay in the cache.
std::uint64_t ask(const Filter& filter, std::uint64_t probes, Random& random) {
  constexpr std::uint64_t kPiece = 4096;
  static thread_local std::vector<Hash> hashes(kPiece);
  const auto answers = std::make_unique<bool[]>(kPiece);
  std::uint64_t hits = 0;
  for (std::uint64_t left = probes; left > 0;) {
    const std::uint64_t count = std::min(left, kPiece);
    random_hashes(random, filter.hasher(), std::span(hashes).first(count));
    hits += filter.may_contain(std::span<const Hash>(hashes).first(count), std::span(answers.get(), count));
    left -= count;
  }
  return hits;
}

// Generations of one length are what its prediction is about.
std::uint64_t in_whole_generations(std::uint64_t window) {
  constexpr std::uint64_t kGenerations = bloomery::Windowed::kGenerations;
  return (window + kGenerations - 1) / kGenerations * kGenerations;
}

// A windowed filter is fullest, and predicted so, just before it forgets its oldest generation.
std::uint64_t keys_held(const Plan& plan, std::uint64_t keys) {
  if (plan.shape.kind != Kind::windowed) return keys;
  const std::uint64_t window = bloomery::Windowed::window(plan.shape), generations = plan.shape.param[1];
  return window + (window + generations - 1) / generations;
}

Filter grown_filter(const Subject& subject, const Plan& plan, std::span<const Hash> keys) {
  const auto remembered = static_cast<std::uint64_t>(*subject.remembered_share * static_cast<double>(keys.size()));
  Filter filter =
      take(Filter::create(bloomery::Growth{.fpr = plan.asked_fpr, .remember_keys = remembered}, subject.hasher));
  take(filter.insert(keys));
  return filter;
}

// What else has a rate of its own within a kind.
std::vector<Subject> variants_of(Kind kind) {
  const std::string name(bloomery::name(kind));
  const Subject plain{.name = name, .request = {.kind = kind}};
  Subject variant = plain;
  if (kind == Kind::blocked) {
    variant.name += ", 2 lines";
    variant.request.lines_per_key = 2;
  } else if (kind == Kind::counting) {
    variant.name += ", in a line";
    variant.request.lines_per_key = 1;
  } else if (kind == Kind::fuse) {
    variant.name += ", 4 cells";
    variant.request.hashes = 4;
  } else {
    return {plain};
  }
  return {plain, variant};
}

}  // namespace

std::vector<Subject> every_subject() {
  constexpr unsigned kMostKinds = 64;
  std::vector<Subject> subjects;
  for (unsigned number = 1; number < kMostKinds; ++number) {
    const Kind kind = static_cast<Kind>(number);
    if (bloomery::name(kind) == "?") continue;
    for (const Subject& subject : variants_of(kind)) subjects.push_back(subject);
  }
  // Its segments are taken for independent. They are not quite: a key that one takes for a repeat is kept from the
  // next.
  subjects.push_back({.name = "growing", .remembered_share = 0.05, .model_error = 0.03});
  return subjects;
}

Subject classic_subject() { return {.name = "classic", .request = {.kind = Kind::classic}}; }

Subject article_subject() {
  return {
      .name = "article", .request = {.kind = Kind::classic, .article = true}, .hasher = bloomery::Hasher::murmur3()};
}

std::optional<Plan> plan_of(const Subject& subject, std::uint64_t keys, std::optional<double> fpr,
                            std::optional<double> bits_per_key, std::optional<unsigned> hashes) {
  bloomery::PlanRequest request = subject.request;
  request.keys = keys;
  if (request.kind == Kind::windowed) request.keys = in_whole_generations(keys);
  request.fpr = fpr;
  request.bits_per_key = bits_per_key;
  if (hashes) request.hashes = hashes;
  const auto plan = bloomery::plan(request);
  return plan ? std::optional(*plan) : std::nullopt;
}

Filter make_filter(const Subject& subject, const Plan& plan, std::span<const Hash> keys) {
  if (subject.remembered_share) return grown_filter(subject, plan, keys);
  return take(Filter::build(plan, subject.hasher, keys));
}

Effort effort_for(std::uint64_t keys_per_filter, std::uint64_t keys) {
  constexpr std::uint64_t kLeastFilters = 4, kMostFilters = 2000;
  const std::uint64_t filters = std::clamp(keys / keys_per_filter, kLeastFilters, kMostFilters);
  return {filters, std::max<std::uint64_t>(keys / filters, 1)};
}

Measured measure(const Subject& subject, const Plan& plan, std::uint64_t keys, const Effort& effort, Random& random) {
  Measured m{.filters = effort.filters, .probes = effort.filters * effort.probes};
  m.model_error = subject.model_error;
  std::vector<Hash> held(keys_held(plan, keys));
  std::vector<Shown> shown;
  Predictions predictions(subject, held.size());
  for (std::uint64_t i = 0; i < effort.filters; ++i) {
    random_hashes(random, subject.hasher, held);
    const Filter filter = make_filter(subject, plan, held);
    const std::uint64_t hits = ask(filter, effort.probes, random);
    m.hits += hits;
    m.bits_per_key = 8 * static_cast<double>(filter.size_bytes()) / static_cast<double>(keys);
    shown.push_back({.predicted = predictions.of(filter),
                     .from_bits = filter.current_fpr(),
                     .rate = static_cast<double>(hits) / static_cast<double>(effort.probes)});
  }
  summarize(m, shown);
  return m;
}

void check_rate(Study& study, const std::string& what, const Measured& m, const Settings& settings) {
  const Interval wide = m.wide(settings.error);
  const Interval allowed{wide.low / (1 + m.model_error), wide.high * (1 + m.model_error)};
  if (!allowed.holds(m.predicted))
    study.outside.push_back(fmt::format("{}: measured {:.4g} (surely {:.4g} to {:.4g}), predicted {:.4g}", what, m.rate,
                                        wide.low, wide.high, m.predicted));
}

}  // namespace cli::experiment
