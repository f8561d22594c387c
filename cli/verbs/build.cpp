// build: a filter of lines.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <memory>
#include <nlohmann/json.hpp>

#include "bloomery/bulk.hpp"
#include "bloomery/kernel.hpp"
#include "bloomery/plan.hpp"
#include "bloomery/shrink.hpp"
#include "cli/closest.hpp"
#include "cli/common.hpp"
#include "cli/hashes.hpp"
#include "cli/in_order.hpp"
#include "cli/input.hpp"
#include "cli/key_list.hpp"
#include "cli/verbs.hpp"

namespace cli {
namespace {

using bloomery::Filter;
using bloomery::Kind;

constexpr std::string_view kDetails =
    R"(Without --expected the distinct lines are counted first: their fingerprints are kept until all input is
read, and the filter is planned for exactly that many. If they need more than --memory, the lines of the
files are counted instead (an upper bound). That cannot be done for a pipe: there the filter grows from then on,
adding segments, and keeps its rate at the price of memory and time; --expected avoids that.
--grow makes a filter that goes on growing, also when insert adds to it later: it keeps fingerprints of up to a
million lines (16 bytes each) and is exact until then. Then it takes 40 MB, halved as often as its lines still fit, or
more: at most 2.6 times the size of a filter planned for its lines.

Kinds: blocked (the default: one memory access for most answers), classic (the textbook's), exact
(128-bit fingerprints, no false positives to speak of), counting (lines can be erased; four times the size),
fuse and ribbon (static: smaller than any Bloom filter, and no line can be added; the lines are kept until all
are read, 40 bytes for each, within --memory), windowed (forgets: a line is known for --expected lines, and a quarter
of that later surely forgotten). --kind classic --hash murmur3 gives the filter that
the widely used tutorial code builds, bit for bit.
A blocked filter of 64 MB and more is filled in passes, as many keys at a time as fit in --scratch, and from
4 MB on by all threads of -j; the filter is the same whatever they are. -j threads also share the hashing.
--bits sets the size; with --fpr too, the number of keys that fit is worked out; with --hashes too,
nothing is promised.

Examples:
  bloomery build -o blocked.blm --fpr 0.1% domains.txt
  bloomery build -o seen.blm --expected 100M --fpr 1e-4 urls.gz
  bloomery build -o customers.blm -k 1 --delimiter , customers.csv
  tail -f access.log | bloomery build -o seen.blm --grow --fpr 1e-4
  bloomery build -o small.blm --kind classic --hash murmur3 --bits 9586 --hashes 7 words.txt
)";

constexpr std::array<std::string_view, 7> kKindNames = {"blocked", "classic", "exact",   "counting",
                                                        "fuse",    "ribbon",  "windowed"};
constexpr double kDefaultFpr = 0.01;
constexpr std::uint64_t kMostKeys = std::uint64_t{1} << 40;
constexpr std::uint64_t kHugePageBytes = std::uint64_t{2} << 20;
constexpr std::uint64_t kMostBits = std::uint64_t{1} << 50;

struct Options {
  CommonOptions common;
  HashOptions hash;
  bool progress = false;
  bool grow = false;
  std::string output;
  std::string kind = "blocked";
  std::optional<double> fpr;
  std::optional<std::uint64_t> expected, bits, hashes, lines_per_key, memory, scratch, threads, counter_bits;
  FieldOptions field;
  std::vector<std::string> inputs;
};

struct Built {
  Filter filter;
  std::uint64_t lines = 0;
  bool upper_bound = false;  // planned for the number of lines, not of distinct ones
  std::uint64_t huge_page_bytes = filter.huge_page_bytes();
};

Kind kind_from(const Options& options) {
  const auto kind = bloomery::kind_from_name(options.kind);
  if (!kind) throw Failure{unknown_name("--kind", options.kind, kKindNames)};
  return *kind;
}

void refuse(bool contradiction, std::string_view message) {
  if (contradiction) throw Failure{std::string(message)};
}

// So many lines that their fingerprints and the first segment of the filter that takes their place fit into `bytes`.
std::uint64_t remembered_within(std::uint64_t bytes) {
  constexpr std::uint64_t kRemembered = 32, kFirst = 40, kLargeFirst = 4;  // of a line, at most
  const std::uint64_t most = bloomery::first_bytes(kMostKeys);
  return 1 + std::max(bytes / (kRemembered + kFirst), bytes < most ? 0 : (bytes - most) / (kRemembered + kLargeFirst));
}

bool is_static(Kind kind) { return kind == Kind::fuse || kind == Kind::ribbon; }

void refuse_for_static(const Options& options, Kind kind) {
  if (!is_static(kind)) return;
  refuse(options.expected.has_value(), "--expected: a static filter is made for the lines there are");
  refuse(options.bits.has_value(), "--bits: a static filter has the size that its lines need");
  refuse(kind == Kind::ribbon && options.hashes, "--hashes: --kind ribbon has none");
  refuse(kind == Kind::fuse && options.hashes && options.hashes != 3U && options.hashes != 4U,
         "--hashes: --kind fuse has 3 or 4 cells for each line");
}

void refuse_contradictions(const Options& options, Kind kind) {
  refuse_for_static(options, kind);
  const bool exact = kind == Kind::exact;
  refuse(exact && options.fpr, "--fpr: --kind exact has no rate to choose");
  refuse(exact && options.expected, "--expected: --kind exact grows by itself");
  refuse(exact && options.bits, "--bits: --kind exact grows by itself");
  refuse(exact && options.hashes, "--hashes: --kind exact has no bits to set");
  refuse(kind == Kind::windowed && !options.expected, "--expected: --kind windowed needs it: how many lines its window has");
  refuse(kind == Kind::counting && options.lines_per_key > 1U, "--lines-per-key: --kind counting can have 1");
  refuse(kind != Kind::blocked && kind != Kind::windowed && kind != Kind::counting && options.lines_per_key,
         "--lines-per-key: only --kind blocked, windowed and counting have lines");
  refuse(kind != Kind::counting && options.counter_bits, "--counter-bits: only --kind counting has counters");
  refuse((kind == Kind::blocked || kind == Kind::windowed) && options.hashes > 8U,
         fmt::format("--hashes: --kind {} sets 1 to 8 bits in each line", options.kind));
  refuse(options.grow && kind != Kind::blocked, "--grow: only --kind blocked grows by segments");
  refuse(options.grow && options.expected, "--grow: needs no --expected; leave one of them out");
  refuse(options.grow && (options.bits || options.hashes || options.lines_per_key),
         "--grow: chooses the size itself; leave out --bits, --hashes and --lines-per-key");
  refuse(options.bits && options.fpr && options.expected,
         "--bits, --fpr and --expected contradict each other; give two of them");
  refuse(options.bits && options.fpr && options.hashes,
         "--bits, --fpr and --hashes contradict each other; give two of them");
}

std::optional<unsigned> narrowed(const std::optional<std::uint64_t>& value) {
  return value ? std::optional(static_cast<unsigned>(*value)) : std::nullopt;
}

bloomery::PlanRequest request_from(const Options& options, Kind kind, const bloomery::Hasher& hasher) {
  bloomery::PlanRequest want;
  want.kind = kind;
  want.keys = options.expected;
  want.fpr = options.fpr || options.bits ? options.fpr : kDefaultFpr;
  want.bits = options.bits;
  want.hashes = narrowed(options.hashes);
  want.lines_per_key = narrowed(options.lines_per_key);
  want.cell_bits = narrowed(options.counter_bits);
  want.article = kind == Kind::classic && hasher.id == bloomery::HashId::murmur3;
  return want;
}

// Is the number of keys needed, and nobody has said it?
bool must_count(const bloomery::PlanRequest& want) {
  const bool solved_without = want.bits && (want.fpr || want.hashes);
  return !want.keys && !solved_without;
}

class Builder {
 public:
  Builder(const Options& options, const bloomery::Hasher& hasher)
      : hasher_(hasher),
        memory_bytes_(options.memory.value_or(default_memory_bytes())),
        threads_(static_cast<unsigned>(options.threads.value_or(1))),
        bulk_options_{options.scratch, threads_},
        reader_(options.inputs),
        progress_({.forced = options.progress, .quiet = options.common.quiet}) {
    for (unsigned t = 0; t < threads_; ++t) batches_.emplace_back(hasher, field_from(options.field));
  }

  // All lines into a filter of this plan.
  Built build(const bloomery::Plan& plan) {
    start_filter(plan);
    read_all();
    return finished();
  }

  // All lines into a filter that grows.
  Built grow(const bloomery::Growth& growth) {
    filter_ = take(Filter::create(growth, hasher_));
    bulk_ = take(bloomery::BulkInserter::into(*filter_, bulk_options_));
    read_all();
    Built built = finished();
    if (built.filter.kind() != Kind::exact) built.filter = take(bloomery::shrink_to_fit(built.filter));
    return built;
  }

  // Like count_and_build where nothing can be read twice: a filter that grows counts, and if the distinct lines
  // become too many to keep, it is the result.
  Built count_or_grow(const bloomery::PlanRequest& want) {
    Built built = grow({.fpr = *want.fpr, .remember_keys = std::min(kMostKeys, remembered_within(memory_bytes_))});
    if (built.filter.kind() != Kind::exact) return built;
    want_ = want;
    seen_ = std::move(built.filter);
    plan_and_move(seen_->counts().inserted);
    return finished();
  }

  bool rereadable() const { return reader_.rereadable(); }

  // Plans for the number of distinct lines, or for the number of lines if those are too many to keep.
  Built count_and_build(const bloomery::PlanRequest& want) {
    want_ = want;
    seen_ = take(Filter::create({.kind = Kind::exact, .hasher = hasher_}));
    read_all();
    if (seen_) plan_and_move(seen_->counts().inserted);
    return finished();
  }

 private:
  void read_all() {
    InOrder in_order(reader_);
    in_order.run(
        threads_, [this](unsigned t, auto lines) { batches_[t].of(lines); },
        [&](unsigned t, auto lines, bool) {
          progress_.add(lines.size(), in_order.share_read());
          insert(batches_[t].last(lines.size()));
        });
  }

  void insert(std::span<const bloomery::Hash> hashes) {
    if (!seen_) return take(bulk_->add(hashes));
    take(seen_->insert(hashes));
    if (seen_->memory_bytes() <= memory_bytes_) return;
    plan_and_move(line_count(seen_->counts().inserted));
    upper_bound_ = true;
  }

  void start_filter(const bloomery::Plan& plan) {
    filter_ = take(Filter::create(plan, hasher_));
    bulk_ = take(bloomery::BulkInserter::into(*filter_, bulk_options_));
  }

  // The keys so far go into a filter planned for so many, and all that come after them too. They are in the order
  // of their places in it: nothing needs sorting.
  void plan_and_move(std::uint64_t keys) {
    want_.keys = std::max<std::uint64_t>(1, keys);
    const bloomery::Plan plan = take(bloomery::plan(want_));
    filter_ = take(Filter::create(plan, hasher_));
    const auto visit = [](void* context, std::span<const bloomery::Hash> run) {
      take(static_cast<Filter*>(context)->insert(run));
    };
    take(seen_->visit_fingerprints(visit, &*filter_));
    seen_.reset();
    bulk_ = take(bloomery::BulkInserter::into(*filter_, bulk_options_));
  }

  Built finished() {
    bulk_->finish();
    return {std::move(*filter_), progress_.lines(), upper_bound_};
  }

  std::uint64_t line_count(std::uint64_t distinct) const {
    if (reader_.rereadable()) return count_lines(reader_.paths());
    throw Failure{
        fmt::format("--expected: is needed: more than {} distinct lines do not fit in {}, and the input cannot "
                    "be read twice to count them; or raise --memory",
                    grouped(distinct), human_bytes(memory_bytes_))};
  }

  bloomery::Hasher hasher_;
  std::uint64_t memory_bytes_;
  unsigned threads_;
  bloomery::BuildOptions bulk_options_;
  LineReader reader_;
  std::vector<HashBatch> batches_;  // of each thread
  Progress progress_;
  bloomery::PlanRequest want_;
  std::optional<Filter> seen_;  // while counting
  std::optional<Filter> filter_;
  std::optional<bloomery::BulkInserter> bulk_;  // into filter_
  bool upper_bound_ = false;
};

Built build_static(const Options& options, const bloomery::PlanRequest& want, const bloomery::Hasher& hasher) {
  KeyList list(options.memory.value_or(default_memory_bytes()));
  Progress progress({.forced = options.progress, .quiet = options.common.quiet});
  read_keys(options.inputs, HashBatch(hasher, field_from(options.field)), progress, list);
  return {cli::build_static(want, hasher, list), progress.lines()};
}

// Every line counts, repeats too, so the fingerprints that were kept to count the distinct ones do not do.
Built build_counting(const Options& options, bloomery::PlanRequest want, const bloomery::Hasher& hasher) {
  const auto distinct = count_distinct(options.inputs, HashBatch(hasher, field_from(options.field)),
                                       options.memory.value_or(default_memory_bytes()));
  want.keys = distinct.keys;
  Built built = Builder(options, hasher).build(take(bloomery::plan(want)));
  built.upper_bound = distinct.upper_bound;
  return built;
}

Built build(const Options& options, Kind kind, const bloomery::Hasher& hasher) {
  const bloomery::PlanRequest want = request_from(options, kind, hasher);
  if (is_static(kind)) return build_static(options, want, hasher);
  if (kind == Kind::counting && must_count(want)) return build_counting(options, want, hasher);
  Builder builder(options, hasher);
  if (kind == Kind::exact) return builder.build(take(bloomery::plan({.kind = kind})));
  if (options.grow) return builder.grow({.fpr = *want.fpr});
  if (!must_count(want)) return builder.build(take(bloomery::plan(want)));
  const bool can_grow = kind == Kind::blocked && want.fpr && !want.hashes && !want.lines_per_key;
  return can_grow && !builder.rereadable() ? builder.count_or_grow(want) : builder.count_and_build(want);
}

Json json_summary(const Options& options, const Built& built) {
  const Filter& filter = built.filter;
  return {{"file", options.output},
          {"kind", bloomery::name(filter.kind())},
          {"lines", built.lines},
          {"keys_inserted", filter.counts().inserted},
          {"planned_keys", filter.planned_keys()},
          {"planned_keys_is_upper_bound", built.upper_bound},
          {"grows", filter.growth().has_value()},
          {"segments", filter.segments().size()},
          {"planned_fpr", filter.planned_fpr()},
          {"current_fpr", filter.current_fpr()},
          {"size_bytes", filter.size_bytes()},
          {"huge_page_bytes", built.huge_page_bytes},
          {"kernel", bloomery::active_kernel()}};
}

std::string text_summary(const Options& options, const Built& built) {
  const Filter& filter = built.filter;
  const std::string plan =
      filter.growth()
          ? fmt::format(", growing at {} (segments: {})", short_number(filter.planned_fpr()), filter.segments().size())
      : filter.planned_keys() == 0
          ? std::string()
          : fmt::format(", planned for {} keys{} at {}", grouped(filter.planned_keys()),
                        built.upper_bound ? " (all lines: the distinct ones were too many to count)" : "",
                        short_number(filter.planned_fpr()));
  const std::string pages =
      filter.size_bytes() < kHugePageBytes ? std::string()
                                           : fmt::format(" ({} on huge pages)", human_bytes(built.huge_page_bytes));
  return fmt::format("{}: {} lines, {} keys, {}{}, {}{}, fpr now {}", options.output, grouped(built.lines),
                     grouped(filter.counts().inserted), bloomery::name(filter.kind()), plan,
                     human_bytes(filter.size_bytes()), pages, short_number(filter.current_fpr()));
}

// A blocked filter consists of whole lines.
void note_rounding(const Options& options, const Filter& filter) {
  const std::uint64_t got = size_bits(filter.segments().front().shape);
  if (options.common.json || !options.bits || got == *options.bits) return;
  print_note(fmt::format("--bits {} became {}: {} lines of 512 bits", grouped(*options.bits), grouped(got),
                         grouped(filter.segments().front().shape.cells)));
}

int run(const Options& options) {
  const Kind kind = kind_from(options);
  refuse_contradictions(options, kind);
  refuse_terminal(options.output);
  const bloomery::Hasher hasher = hasher_from(options.hash);
  if (is_among(options.output, options.inputs)) throw Failure{options.output + ": is an input and the output at once"};
  const Built built = build(options, kind, hasher);
  store(built.filter, options.output);
  const int json_fd = options.output == "-" ? STDERR_FILENO : STDOUT_FILENO;
  if (options.common.json) print_json(json_fd, json_summary(options, built));
  if (options.common.quiet) return kExitSuccess;
  if (!options.common.json) print_note(text_summary(options, built));
  note_rounding(options, built.filter);
  warn_past_plan(built.filter, options.output);
  return kExitSuccess;
}

Run add(CLI::App& app) {
  const auto options = std::make_shared<Options>();
  app.add_option("-o,--output", options->output, "The filter to write; -: standard output")
      ->required()
      ->type_name("FILE");
  add_rate(app, "--fpr", options->fpr, "False-positive rate (default 0.01)");
  add_count(app, "--expected", options->expected, {1, kMostKeys}, "Distinct lines to plan for (default: counted)");
  app.add_option("--kind", options->kind, "blocked (default), classic, exact, counting, fuse, ribbon, windowed")->type_name("NAME");
  app.add_flag("--grow", options->grow, "The filter grows with its keys and keeps its rate");
  add_count(app, "--bits", options->bits, {1, kMostBits}, "Size of the filter in bits (blocked: rounded up to 512)");
  add_count(app, "--hashes", options->hashes, {1, 255}, "Bits that a key sets (blocked: in each line, 1 to 8)");
  add_count(app, "--lines-per-key", options->lines_per_key, {1, 8}, "Lines that a key touches (blocked; counting: 1)");
  add_count(app, "--counter-bits", options->counter_bits, {2, 16}, "2, 4 (default), 8, 16 (counting)");
  add_size(app, "--memory", options->memory, {1, std::uint64_t{1} << 50},
           "For counting distinct lines (default 1G, or a quarter of the machine's)");
  add_size(app, "--scratch", options->scratch, {0, std::uint64_t{1} << 50},
           "For sorting keys by place in a large filter (default: its size, at least 64M)");
  add_threads(app, options->threads);
  add_field(app, options->field);
  add_hash(app, options->hash);
  add_common(app, options->common);
  add_progress(app, options->progress);
  add_inputs(app, options->inputs);
  return [options] { return run(*options); };
}

}  // namespace

constinit const Verb kBuild = {"build", "-o FILE|- [OPTION]... [INPUT]...", "Make a filter of lines", kDetails, add};

}  // namespace cli
