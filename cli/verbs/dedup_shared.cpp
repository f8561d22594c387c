// dedup --redis: the pass of dedup with a set that several machines share.
#include <fmt/format.h>
#include <unistd.h>

#include <nlohmann/json.hpp>

#include "cli/interrupt.hpp"
#include "cli/output_file.hpp"
#include "cli/redis/shared_set.hpp"
#include "cli/verbs/dedup_options.hpp"

namespace cli {
namespace {

constexpr double kPromiseTolerance = 1.002;

struct Summary {
  DedupTally tally;
  SharedFigures figures;
  double seconds = 0;
  double lines_per_second = 0;
};

void refuse_contradictions(const DedupOptions& options) {
  if (options.name.empty()) throw Failure{"--redis: needs the --name of the set"};
  if (options.memory) throw Failure{"--memory: the set is in the server; --expected and --fpr say how large it is made"};
  if (!options.state.empty() || options.checkpoint_seconds)
    throw Failure{"--state, --checkpoint: with --redis the server keeps the set; leave them out"};
  if (options.window.lines || options.window.seconds || options.window.from_first || !options.window.gives_way.empty())
    throw Failure{"--window, --window-time: a set in a server does not forget; leave them out, or --redis"};
  if (options.strict && !options.fpr) throw Failure{"--strict: needs a promise to keep: --fpr RATE"};
}

bool promise_broken(const DedupOptions& options, const SharedFigures& figures) {
  return options.fpr && figures.current_fpr > *options.fpr * kPromiseTolerance;
}

Json json_summary(const DedupOptions& options, const Summary& summary, const SharedSet& set) {
  const DedupTally& tally = summary.tally;
  return {{"lines_in", tally.lines_in},
          {"lines_out", tally.lines_out},
          {"lines_dropped", tally.lines_in - tally.lines_out},
          {"method", "shared"},
          {"server", options.redis},
          {"set", options.name},
          {"shards", set.plan().shards},
          {"hash", bloomery::name(set.hasher().id)},
          {"memory_bytes", summary.figures.memory_bytes},
          {"estimated_distinct", summary.figures.estimated_distinct},
          {"current_fpr", summary.figures.current_fpr},
          {"planned_keys", set.plan().expected},
          {"planned_fpr", set.plan().fpr},
          {"expected_wrong_drops", summary.figures.expected_wrong_drops},
          {"promised_fpr", options.fpr ? Json(*options.fpr) : Json(nullptr)},
          {"promise_kept", options.fpr ? Json(!promise_broken(options, summary.figures)) : Json(nullptr)},
          {"interrupted", tally.interrupted_by != 0},
          {"seconds", summary.seconds},
          {"lines_per_second", summary.lines_per_second}};
}

std::string text_summary(const DedupOptions& options, const Summary& summary, const SharedSet& set) {
  const DedupTally& tally = summary.tally;
  const SharedFigures& figures = summary.figures;
  return fmt::format(
      "{} lines in, {} out, {} dropped\n"
      "method: set {} at {}, {} filters planned for {} keys at {} ({}), {}\n"
      "estimated distinct: {}, of all who share the set\n"
      "current fpr: {}, expected wrong drops: {}\nspeed: {} lines/s, {:.2f} s",
      grouped(tally.lines_in), grouped(tally.lines_out), grouped(tally.lines_in - tally.lines_out), options.name,
      options.redis, set.plan().shards, grouped(set.plan().expected), short_number(set.plan().fpr),
      describe(set.hasher()), human_bytes(figures.memory_bytes),
      grouped(static_cast<std::uint64_t>(figures.estimated_distinct)), short_number(figures.current_fpr),
      short_number(figures.expected_wrong_drops), grouped(static_cast<std::uint64_t>(summary.lines_per_second)),
      summary.seconds);
}

std::unique_ptr<SharedSet> open_set(const DedupOptions& options, const DedupRules& rules) {
  return SharedSet::open({.server = options.redis,
                          .name = options.name,
                          .shards = options.shards,
                          .expected = options.expected,
                          .fpr = options.fpr,
                          .hasher = hasher_from(options.hash),
                          .unanswered_is_fresh = rules.repeats});
}

// Lines that are not shown now are never shown: the set counts them as seen. So they go out whatever happened.
void pass(Dedup& dedup, OutputFile& output, const DedupOptions& options, Progress& progress) {
  try {
    dedup.learn(options.seen);
    dedup.pass(
        options.inputs, [&](std::uint64_t lines, double share_read) { progress.add(lines, share_read); },
        thread_count(options));
  } catch (const Failure& failure) {
    output.publish();
    const DedupTally& tally = dedup.tally();
    throw Failure{fmt::format("{}; {} lines were read and {} of them are out", failure.message,
                              grouped(tally.lines_in), grouped(tally.lines_out))};
  }
  output.publish();
}

}  // namespace

int run_shared(const DedupOptions& options) {
  refuse_contradictions(options);
  const DedupRules rules = rules_of(options);
  const auto set = open_set(options, rules);
  OutputFile output(options.output);
  Progress progress({.forced = options.progress,
                     .quiet = options.common.quiet,
                     .prints_lines = options.output.empty() || options.output == "-"});
  catch_interrupts();
  Dedup dedup(rules, *set, output.out());
  pass(dedup, output, options, progress);
  const Summary summary{dedup.tally(), set->figures(), progress.seconds(), progress.lines_per_second()};
  if (options.common.json) print_json(STDERR_FILENO, json_summary(options, summary, *set));
  if (!options.common.json && !options.common.quiet) {
    if (summary.tally.interrupted_by != 0)
      print_warning(fmt::format("interrupted after {} lines", grouped(summary.tally.lines_in)));
    print_note(text_summary(options, summary, *set));
  }
  if (summary.tally.interrupted_by != 0) return 128 + summary.tally.interrupted_by;
  if (!options.strict || !promise_broken(options, summary.figures)) return kExitSuccess;
  if (!options.common.json)
    print_error(fmt::format("promise broken: the promised rate of {} is {} now", short_number(*options.fpr),
                            short_number(summary.figures.current_fpr)));
  return kExitBrokenPromise;
}

void add_shared_options(CLI::App& app, DedupOptions& to) {
  app.add_option("--redis", to.redis, "Keep the set in a redis-server; it can be shared")
      ->type_name("HOST:PORT[,cluster]");
  app.add_option("--name", to.name, "The name of that set")->type_name("NAME");
  add_count(app, "--shards", to.shards, {1, 4096}, "Make it of N filters (default: 64)");
}

}  // namespace cli
