// dedup: the first occurrence of every line, in order, as the lines come.
#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <memory>
#include <nlohmann/json.hpp>
#include <thread>

#include "cli/common.hpp"
#include "cli/interrupt.hpp"
#include "cli/output_file.hpp"
#include "cli/seen.hpp"
#include "cli/state.hpp"
#include "cli/verbs.hpp"
#include "cli/verbs/dedup_options.hpp"

namespace cli {
namespace {

constexpr std::string_view kDetails =
    R"(Prints each line when it comes for the first time, and drops its repeats. Nothing is sorted, and a line
goes out before more input is needed. Lines are any bytes; a last line without a newline gets one.

It keeps an exact 128-bit fingerprint of every distinct line while these fit into half of --memory, then
turns into a filter within that budget and goes on. A filter drops a line wrongly now and then: the summary
says how many lines it expects to have dropped so. No repeat ever passes. Input and output take at most 32 MB
beside the budget, zstd input also the window that it asks for, at most 128 MB; a line longer than a block waits
in a temporary file (in $TMPDIR) for its answer.

--fpr is a promise: that the rate of wrong drops at the last line is at most so much. When it goes, a warning
says how much memory would have kept it; with --strict the exit code is 3, and the output still complete.
--expected and --fpr together plan the filter from the start.

--window N forgets: a line is a repeat if it came among the last N lines, and surely not if the last time is more
than 1.25 N lines ago. Each repeat makes a line young again; with --from-first its first sighting counts. Memory is
constant. --window-time 10min does so by the clock, for up to --expected lines in that time (default: what fits into
64M); where more come, the window is as many lines, or with --window-full rate as long, but the rate rises.

--state FILE goes on where an earlier run ended. It is saved when the input ends, at SIGINT or SIGTERM after
the lines read so far, and every --checkpoint; a run that is killed leaves the former state. Lines go out (with
-o: appear) before the state that counts them: a crash between the two may repeat lines, and loses none.

--redis HOST:PORT keeps the set in a redis-server with bloomery.so instead (HOST:PORT,cluster: in a cluster), under
--name: all who name it share it, and together print no line twice. The first one makes it, for --expected
distinct lines of all, in --shards filters that hold no more than that; the others need not say how. Lines that
are out count as seen for ever; when the server fails, those that it had answered go out before the error.

The summary goes to stderr (with --json as JSON), so that stdout holds lines and nothing else.

Examples:
  bloomery dedup urls.txt > unique.txt
  bloomery dedup -q logs/*.gz
  tail -f log.txt | bloomery dedup --window 1e7
  bloomery dedup --state seen.blm -o new.txt today.txt
  bloomery dedup -k 2 --delimiter , --header people.csv
  bloomery dedup --memory 256M --fpr 1e-6 --strict crawl1.txt crawl2.txt > unique.txt
  bloomery dedup --expected 100M --fpr 1e-6 crawl1.txt crawl2.txt > unique.txt
  bloomery dedup --redis db:6379 --name crawl --expected 1G crawl1.txt > unique1.txt
)";

using Options = DedupOptions;

void refuse_contradictions(const Options& options) {
  if (options.shards || !options.name.empty())
    throw Failure{"--shards, --name: are about a set in a server: --redis HOST:PORT"};
  if (options.strict && !options.fpr) throw Failure{"--strict: needs a promise to keep: --fpr RATE"};
  refuse_contradictions(options.window, options.expected.has_value(), !options.state.empty());
  if (options.checkpoint_seconds && options.state.empty())
    throw Failure{"--checkpoint: needs a --state FILE to save to"};
  if (options.checkpoint_seconds && !options.output.empty())
    throw Failure{"--checkpoint: lines that -o holds back would be lost in a crash; write to standard output"};
  if (!options.state.empty() && is_among(options.state, options.inputs))
    throw Failure{options.state + ": is the state and an input at once"};
  if (!options.state.empty() && (options.state == options.output || is_among(options.state, {options.output})))
    throw Failure{options.state + ": is the state and the output at once"};
}

// A state that was planned goes on as it was planned.
void refuse_other_plan(const Options& options, const bloomery::Filter& keys) {
  refuse_other_window(options.state, keys, options.window, options.fpr);
  if (!options.expected || !options.fpr) return;
  const bloomery::Segment& first = keys.segments()[0];
  if (first.planned_keys == *options.expected && first.planned_fpr == *options.fpr) return;
  throw Failure{fmt::format("{}: was not planned for {} lines at {}; leave out --expected, or give another --state",
                            options.state, grouped(*options.expected), short_number(*options.fpr))};
}

SeenSet make_set(const Options& options, const std::optional<StateFile>& state) {
  SeenPlan plan{.memory_bytes = options.memory.value_or(default_memory_bytes()),
                .expected = options.expected,
                .fpr = options.fpr};
  plan.window = window_of(options.window, options.expected, options.fpr.value_or(SeenSet::kUnpromisedFpr), plan.memory_bytes);
  if (state) {
    if (auto keys = state->load(options.hash)) {
      refuse_other_plan(options, *keys);
      return SeenSet::resume(std::move(*keys), plan);
    }
  }
  plan.hasher = hasher_from(options.hash);
  return SeenSet::create(plan);
}

// distinct: how many distinct lines the memory is to hold.
std::string advice(const SeenSet& seen, double promised, double distinct) {
  if (seen.window())
    return fmt::format("the promised rate of {} is {} now, for too many lines: --expected {} keeps it", short_number(promised),
                       short_number(seen.rate()), seen.window()->lines_needed());
  return fmt::format("the promised rate of {} is {} now, with {} distinct lines: --memory {} keeps it for {} of them",
                     short_number(promised), short_number(seen.rate()),
                     grouped(static_cast<std::uint64_t>(seen.estimated_distinct())),
                     size_argument(seen.memory_for_promise(distinct)), grouped(static_cast<std::uint64_t>(distinct)));
}

// What happens between batches: a warning when the promise goes, once, and checkpoints.
class Watch {
 public:
  Watch(const Options& options, const std::optional<StateFile>& state, SeenSet& seen, Output& out)
      : options_(options), state_(state), seen_(seen), out_(out) {}

  // share_read: of the input; where nobody knows, as many lines again are expected.
  void operator()(double share_read) {
    if (!warned_ && seen_.promise_broken()) {
      warned_ = true;
      const double distinct = seen_.estimated_distinct() / (share_read > 0 ? share_read : 0.5);
      if (!options_.common.quiet && !options_.common.json) print_warning(advice(seen_, *options_.fpr, distinct));
    }
    if (!options_.checkpoint_seconds || Clock::now() < next_) return;
    out_.flush();  // first the lines, then the state that takes them for printed
    state_->save(seen_.snapshot());
    next_ = next_checkpoint();
  }

 private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point next_checkpoint() const {
    return Clock::now() + std::chrono::duration_cast<Clock::duration>(
                              std::chrono::duration<double>(options_.checkpoint_seconds.value_or(0)));
  }

  const Options& options_;
  const std::optional<StateFile>& state_;
  SeenSet& seen_;
  Output& out_;
  bool warned_ = false;
  Clock::time_point next_ = next_checkpoint();
};

struct Summary {
  DedupTally tally;
  double seconds = 0;
  double lines_per_second = 0;
};

Json json_summary(const Options& options, const Summary& summary, const SeenSet& seen) {
  const bloomery::Filter& keys = seen.keys();
  const DedupTally& tally = summary.tally;
  Json json = {{"lines_in", tally.lines_in},
               {"lines_out", tally.lines_out},
               {"lines_dropped", tally.lines_in - tally.lines_out},
               {"method", bloomery::name(keys.kind())},
               {"hash", bloomery::name(keys.hasher().id)},
               {"memory_bytes", keys.memory_bytes()},
               {"estimated_distinct", seen.window() ? Json(nullptr) : Json(seen.estimated_distinct())},
               {"segments", keys.segments().size()}};
  const bool windowed = seen.window().has_value();
  json["window_lines"] = windowed ? Json(keys.planned_keys()) : Json(nullptr);
  json["window_seconds"] = options.window.seconds ? Json(*options.window.seconds) : Json(nullptr);
  json["window_overflowed"] = options.window.seconds ? Json(seen.window()->overflowed()) : Json(nullptr);
  json["changed_at_line"] = tally.changed_at_line ? Json(*tally.changed_at_line) : Json(nullptr);
  json["fill_ratio"] = seen.is_exact() ? Json(nullptr) : Json(keys.fill_ratio());
  json["current_fpr"] = keys.current_fpr();
  json["planned_keys"] = seen.is_exact() ? Json(nullptr) : Json(keys.planned_keys());
  json["planned_fpr"] = seen.is_exact() ? Json(nullptr) : Json(keys.planned_fpr());
  json["expected_wrong_drops"] = seen.expected_wrong_drops();
  json["promised_fpr"] = options.fpr ? Json(*options.fpr) : Json(nullptr);
  json["promise_kept"] = options.fpr ? Json(!seen.promise_broken()) : Json(nullptr);
  json["memory_for_promise"] = options.fpr ? Json(seen.memory_for_promise(seen.estimated_distinct())) : Json(nullptr);
  json["state"] = options.state.empty() ? Json(nullptr) : Json(options.state);
  json["lines_in_all_runs"] = keys.counts().offered;
  json["lines_fresh_in_all_runs"] = keys.counts().inserted;
  json["interrupted"] = tally.interrupted_by != 0;
  json["seconds"] = summary.seconds;
  json["lines_per_second"] = summary.lines_per_second;
  return json;
}

std::string method_text(const Options& options, const DedupTally& tally, const SeenSet& seen) {
  const bloomery::Filter& keys = seen.keys();
  if (seen.is_exact())
    return fmt::format("exact fingerprints ({}), {}", describe(keys.hasher()), human_bytes(keys.memory_bytes()));
  if (seen.window())
    return fmt::format("{} ({}), {}", window_text(keys, options.window.seconds), describe(keys.hasher()),
                       human_bytes(keys.memory_bytes()));
  const std::string before = tally.changed_at_line ? fmt::format("exact fingerprints up to line {}, then a ",
                                                                 grouped(*tally.changed_at_line - 1))
                                                   : "";
  return fmt::format("{}filter planned for {} keys at {} ({}), {}, {:.1f}% of the bits set", before,
                     grouped(keys.planned_keys()), short_number(keys.planned_fpr()), describe(keys.hasher()),
                     human_bytes(keys.memory_bytes()), 100 * keys.fill_ratio());
}

std::string text_summary(const Options& options, const Summary& summary, const SeenSet& seen) {
  const DedupTally& tally = summary.tally;
  const bloomery::Counts counts = seen.keys().counts();
  std::string text = fmt::format("{} lines in, {} out, {} dropped\nmethod: {}\n", grouped(tally.lines_in),
                                 grouped(tally.lines_out), grouped(tally.lines_in - tally.lines_out),
                                 method_text(options, tally, seen));
  if (!options.state.empty())
    text += fmt::format("state: {}, {} lines in all runs, {} of them new\n", options.state, grouped(counts.offered),
                        grouped(counts.inserted));
  if (!seen.window())
    text += fmt::format("estimated distinct: {}\n", grouped(static_cast<std::uint64_t>(seen.estimated_distinct())));
  else if (seen.window()->overflowed())
    text += fmt::format("more lines came than it was planned for: the {} gave way; --expected {} would have kept both\n",
                        options.window.gives_way == "rate" ? "rate" : "window", seen.window()->lines_needed());
  return text + fmt::format("current fpr: {}, expected wrong drops: {}\nspeed: {} lines/s, {:.2f} s",
                            short_number(seen.keys().current_fpr()), short_number(seen.expected_wrong_drops()),
                            grouped(static_cast<std::uint64_t>(summary.lines_per_second)), summary.seconds);
}

void report(const Options& options, const Summary& summary, const SeenSet& seen) {
  if (options.common.json) print_json(STDERR_FILENO, json_summary(options, summary, seen));
  if (!options.common.json && !options.common.quiet) print_note(text_summary(options, summary, seen));
}

// First the lines, then the state that counts them; an interrupted run without a state shows no half of an -o file.
void finish(const Options& options, const std::optional<StateFile>& state, SeenSet& seen, OutputFile& output,
            const DedupTally& tally) {
  if (tally.interrupted_by == 0 || state) output.publish();
  if (state) state->save(seen.snapshot());
  if (tally.interrupted_by == 0 || options.common.quiet || options.common.json) return;
  const std::string where = state              ? "; saved to " + state->path()
                            : options.output.empty() ? ""
                                                     : "; " + options.output + " is as it was";
  print_warning(fmt::format("interrupted after {} lines{}", grouped(tally.lines_in), where));
}

int run(const Options& options) {
  if (!options.redis.empty()) return run_shared(options);
  refuse_contradictions(options);
  const DedupRules rules = rules_of(options);
  std::optional<StateFile> state;
  if (!options.state.empty()) state.emplace(options.state);
  SeenSet seen = make_set(options, state);
  OutputFile output(options.output);
  Progress progress({.forced = options.progress,
                     .quiet = options.common.quiet,
                     .prints_lines = options.output.empty() || options.output == "-"});
  catch_interrupts();
  Dedup dedup(rules, seen, output.out());
  dedup.learn(options.seen);
  Watch watch(options, state, seen, output.out());
  dedup.pass(
      options.inputs,
      [&](std::uint64_t lines, double share_read) {
        progress.add(lines, share_read);
        watch(share_read);
      },
      thread_count(options));
  seen.settle();
  finish(options, state, seen, output, dedup.tally());
  report(options, {dedup.tally(), progress.seconds(), progress.lines_per_second()}, seen);
  if (dedup.tally().interrupted_by != 0) return 128 + dedup.tally().interrupted_by;
  if (!options.strict || !seen.promise_broken()) return kExitSuccess;
  if (!options.common.json) print_error("promise broken: " + advice(seen, *options.fpr, seen.estimated_distinct()));
  return kExitBrokenPromise;
}

void add_text_options(CLI::App& app, Options& options) {
  app.add_flag("-z,--null", options.null, "Lines end with a NUL byte, in and out");
  add_field(app, options.field);
  app.add_flag("-d,--repeats", options.rules.repeats, "Print the repeats instead");
  app.add_flag("--header", options.rules.header, "The first line passes");
  app.add_option("-o,--output", options.output, "Write to FILE, which appears when it is complete")->type_name("FILE");
}

void add_state_options(CLI::App& app, Options& options) {
  app.add_option("--state", options.state, "Go on from FILE, and save to it")->type_name("FILE");
  add_duration(app, "--checkpoint", options.checkpoint_seconds, "Save the state so often, e.g. 60s");
  app.add_option("--seen", options.seen, "The lines of LIST count as seen; may be repeated")
      ->type_name("LIST")->expected(1)->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
}

void add_window_options(CLI::App& app, WindowOptions& options) {
  add_count(app, "--window", options.lines, {1, std::uint64_t{1} << 40}, "Forget all but the last N lines");
  add_duration(app, "--window-time", options.seconds, "Forget all but the lines of the last while, e.g. 10min");
  app.add_option("--window-full", options.gives_way, "What gives way to too many lines: window (default), rate")
      ->type_name("WHAT");
  app.add_flag("--from-first", options.from_first, "A repeat does not make a line young again");
}

Run add(CLI::App& app) {
  const auto options = std::make_shared<Options>();
  add_size(app, "--memory", options->memory, {SeenSet::kLeastMemory, std::uint64_t{1} << 46},
           "For the set of lines seen (default: 1G, or a quarter of the machine's)");
  add_rate(app, "--fpr", options->fpr, "Promise this rate of wrong drops at the last line");
  add_count(app, "--expected", options->expected, {1, std::uint64_t{1} << 40}, "Plan for N distinct lines");
  add_count(app, "-j,--threads", options->threads, {1, 64},
            "Use so many, at most 2: one reads, one answers (default: 2, or 1 on one processor)");
  add_window_options(app, options->window);
  app.add_flag("--strict", options->strict, "Exit with 3 if the promise of --fpr is broken");
  add_text_options(app, *options);
  add_state_options(app, *options);
  add_shared_options(app, *options);
  add_hash(app, options->hash);
  add_common(app, options->common);
  add_progress(app, options->progress);
  add_inputs(app, options->inputs);
  return [options] { return run(*options); };
}

}  // namespace

DedupRules rules_of(const DedupOptions& options) {
  DedupRules rules = options.rules;
  if (options.null) rules.end = '\0';
  rules.key = field_from(options.field, rules.end);
  return rules;
}

unsigned thread_count(const DedupOptions& options) {
  const std::uint64_t wanted = options.threads.value_or(std::thread::hardware_concurrency());
  return wanted > 1 ? 2 : 1;
}

constinit const Verb kDedup = {"dedup", "[OPTION]... [INPUT]...", "Print the first occurrence of every line, in order",
                               kDetails, add};

}  // namespace cli
