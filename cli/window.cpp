#include "cli/window.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "bloomery/layout/windowed.hpp"
#include "cli/report.hpp"

namespace cli {
namespace {

using bloomery::Filter;
using bloomery::Kind;
using bloomery::Windowed;

bloomery::Plan plan_for(std::uint64_t lines, double fpr) {
  return take(bloomery::plan({.kind = Kind::windowed, .keys = lines, .fpr = fpr}));
}

std::uint8_t rule_of(const Filter& keys) { return keys.segments()[0].shape.rule; }

}  // namespace

void refuse_contradictions(const WindowOptions& options, bool expected_given, bool state_given) {
  const bool windowed = options.lines || options.seconds;
  if (options.lines && options.seconds) throw Failure{"--window: and --window-time are two windows; give one"};
  if (options.lines && expected_given) throw Failure{"--expected: follows from --window; leave one of them out"};
  if (options.from_first && !windowed) throw Failure{"--from-first: needs --window or --window-time"};
  if (!options.gives_way.empty() && !options.seconds) throw Failure{"--window-full: needs --window-time"};
  if (!options.gives_way.empty() && options.gives_way != "window" && options.gives_way != "rate")
    throw Failure{fmt::format("--window-full: '{}' is unknown; allowed are window, rate", options.gives_way)};
  if (options.seconds && state_given)
    throw Failure{"--state: does not go with --window-time: no clock runs between two runs"};
}

std::optional<SeenWindow> window_of(const WindowOptions& options, std::optional<std::uint64_t> expected, double fpr,
                                    std::uint64_t memory_bytes) {
  if (!options.lines && !options.seconds) return {};
  SeenWindow window{.lines = options.lines.value_or(expected.value_or(0)),
                    .seconds = options.seconds,
                    .from_first = options.from_first,
                    .rate_gives_way = options.gives_way == "rate"};
  if (window.lines > 0) return window;
  constexpr std::uint64_t kUnaskedBytes = std::uint64_t{64} << 20;
  constexpr std::uint64_t kSampleLines = 1'000'000;  // bytes for each line hardly depend on their number
  constexpr double kMargin = 0.98;
  const auto bytes = static_cast<double>(std::min(memory_bytes, kUnaskedBytes));
  const double lines = bytes * kMargin * kSampleLines / static_cast<double>(plan_for(kSampleLines, fpr).size_bytes);
  window.lines = std::max<std::uint64_t>(1, static_cast<std::uint64_t>(lines));
  return window;
}

void refuse_other_window(const std::string& path, const Filter& keys, const WindowOptions& options,
                         std::optional<double> promised_fpr) {
  const bool windowed = keys.kind() == Kind::windowed;
  if (!windowed && !options.lines) return;
  if (!windowed) throw Failure{path + ": has no window; leave out --window, or give another --state"};
  if (keys.planned_keys() != options.lines.value_or(0))
    throw Failure{fmt::format("{}: has a window of {} lines; give --window {}, or give another --state", path,
                              grouped(keys.planned_keys()), keys.planned_keys())};
  if ((rule_of(keys) & Windowed::kWhenTold) != 0)
    throw Failure{path + ": has a window that goes by the clock, which no state has; give another --state"};
  if (promised_fpr && *promised_fpr < keys.planned_fpr())
    throw Failure{fmt::format("{}: was planned for a rate of {}; leave out --fpr {}, or give another --state", path,
                              short_number(keys.planned_fpr()), short_number(*promised_fpr))};
  const bool from_first = (rule_of(keys) & Windowed::kFromFirst) != 0;
  if (from_first != options.from_first)
    throw Failure{fmt::format("{}: its lines age from the {} sighting; {} --from-first, or give another --state", path,
                              from_first ? "first" : "last", from_first ? "give" : "leave out")};
}

bloomery::Plan plan_window(const SeenWindow& window, double fpr, std::uint64_t memory_bytes) {
  bloomery::Plan plan = plan_for(window.lines, fpr);
  if (plan.size_bytes > memory_bytes)
    throw Failure{fmt::format("--memory: {} cannot hold a window of {} lines at a rate of {}: give at least {}",
                              human_bytes(memory_bytes), grouped(window.lines), short_number(fpr),
                              size_argument(plan.size_bytes))};
  if (window.from_first) plan.shape.rule |= Windowed::kFromFirst;
  if (window.rate_gives_way) plan.shape.rule |= Windowed::kWhenTold;
  return plan;
}

std::string window_text(const Filter& keys, const std::optional<double>& seconds) {
  const std::uint64_t lines = keys.planned_keys();
  if (!seconds)
    return fmt::format("a window that forgets: it knows the last {} lines, and none more than {} ago", grouped(lines),
                       grouped(lines + (lines + 3) / 4));
  return fmt::format("a window that forgets: it knows the lines of the last {:g} s, up to {}, and none from more than {:g} s ago",
                     *seconds, grouped(lines), 1.25 * *seconds);
}

WindowWatch::WindowWatch(const Filter& keys, const SeenWindow& window)
    : window_(window),
      rate_(bloomery::expected_fpr(keys.segments()[0].shape, Windowed::kMaxWindow)),
      wrong_drops_(keys.counts().expected_wrong_repeats) {}

// Those that are due after a pause are all empty, and more than there are change nothing.
void WindowWatch::before_insert(Filter& keys, std::uint64_t sightings) {
  if (!window_.seconds) return;
  constexpr double kGenerations = Windowed::kGenerations;
  const std::chrono::duration<double> length(*window_.seconds / kGenerations);
  const auto now = Clock::now();
  const double due = std::floor((now - generation_began_) / length);
  if (due >= 1) {
    measure(keys);  // now it is at its highest
    for (double i = 0; i < std::min(due, kGenerations + 1); ++i) take(keys.begin_generation());
    const bool all_forgotten = due > kGenerations;
    generation_began_ = all_forgotten ? now : generation_began_ + std::chrono::duration_cast<Clock::duration>(due * length);
    in_generation_ = measured_at_ = 0;
  }
  in_generation_ += sightings;
  most_in_generation_ = std::max(most_in_generation_, in_generation_);
  overflowed_ = overflowed_ || in_generation_ > share();
}

// A new line is called fresh with chance 1 - rate: each that is stands for 1 / (1 - rate), and rate / (1 - rate) of
// them were dropped.
void WindowWatch::after_insert(const Filter& keys, std::uint64_t fresh) {
  const auto odds = [this] {
    constexpr double kLeastChance = 1e-9;
    return rate_ / std::max(1 - rate_, kLeastChance);
  };
  const double before = odds();
  if (in_generation_ - measured_at_ >= share()) {
    measure(keys);
    measured_at_ = in_generation_;
  }
  wrong_drops_ += static_cast<double>(fresh) * (before + odds()) / 2;
}

void WindowWatch::measure(const Filter& keys) {
  if (overflowed_ && window_.rate_gives_way) rate_ = std::max(rate_, keys.current_fpr());
}

std::uint64_t WindowWatch::share() const noexcept {
  return std::max<std::uint64_t>(1, window_.lines / Windowed::kGenerations);
}

std::uint64_t WindowWatch::lines_needed() const noexcept {
  return std::min(Windowed::kMaxWindow, std::max(window_.lines, Windowed::kGenerations * most_in_generation_));
}

}  // namespace cli
