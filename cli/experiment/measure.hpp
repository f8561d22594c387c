// Measured false-positive rates and times of one filter after another.
#pragma once
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "bloomery/filter.hpp"
#include "cli/experiment/interval.hpp"
#include "cli/experiment/random.hpp"
#include "cli/experiment/study.hpp"

namespace cli::experiment {

// What is measured: a kind of filter, and how to plan one.
struct Subject {
  std::string name;
  bloomery::PlanRequest request = {};
  bloomery::Hasher hasher = {};
  std::optional<double> remembered_share = {};  // it grows, and becomes a Bloom filter at so many of the keys
  double model_error = 0;                       // by how much the prediction itself may be wrong, as a share of it
};

// Every kind that the library has, with the variants that have a rate of their own.
std::vector<Subject> every_subject();
Subject classic_subject();
Subject article_subject();  // classic, sized and hashed as in the article

// The subject's plan for these keys; no value where it cannot have one (so many hashes, say).
std::optional<bloomery::Plan> plan_of(const Subject& subject, std::uint64_t keys, std::optional<double> fpr,
                                      std::optional<double> bits_per_key = {}, std::optional<unsigned> hashes = {});

// A filter of these keys. Errors: Failure
bloomery::Filter make_filter(const Subject& subject, const bloomery::Plan& plan, std::span<const bloomery::Hash> keys);

// How much is asked for one rate.
struct Effort {
  std::uint64_t filters;
  std::uint64_t probes;  // of each filter
};
// Filters and probes so that about `keys` keys are put in and as many are asked for.
Effort effort_for(std::uint64_t keys_per_filter, std::uint64_t keys);

struct Measured {
  std::uint64_t filters = 0, probes = 0, hits = 0;
  double bits_per_key = 0;
  double predicted = 0;  // by the model, before anything is put in
  double from_bits = 0;  // mean over the filters of what their own bits say
  double rate = 0;
  double model_error = 0;    // the subject's
  double trials = 0;         // so many independent probes say as much
  Interval interval = {};    // around the rate, as it is shown
  double run_deviation = 0;  // of the rates that single filters show

  Interval wide(double error) const noexcept { return clopper_pearson(rate * trials, trials, error); }
};

// New filters of new keys, asked for other new keys. Errors: Failure
Measured measure(const Subject& subject, const bloomery::Plan& plan, std::uint64_t keys, const Effort& effort,
                 Random& random);

// Tells the study if the predicted rate is outside of the interval that misses with the settings' chance.
void check_rate(Study& study, const std::string& what, const Measured& measured, const Settings& settings);

struct Speed {
  double insert_ns = 0;
  double ask_new_ns = 0;   // for a key that is not in
  double ask_held_ns = 0;  // for one that is
};

// One key at a time, hashed already; the filter takes what is put in.
Speed speed_of(bloomery::Filter& filter, std::span<const bloomery::Hash> held,
               std::span<const bloomery::Hash> strangers);
// The same in batches.
Speed batch_speed_of(bloomery::Filter& filter, std::span<const bloomery::Hash> held,
                     std::span<const bloomery::Hash> strangers);

// Wall time of work() in nanoseconds, over `keys`: the best of a few runs, since all that disturbs makes it longer.
double best_ns(std::uint64_t keys, unsigned runs, const std::function<void()>& work);

}  // namespace cli::experiment
