// freeze: the smallest filter of keys that will not change.
#include <fmt/format.h>
#include <unistd.h>

#include <exception>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>

#include "cli/common.hpp"
#include "cli/input.hpp"
#include "cli/key_list.hpp"
#include "cli/verbs.hpp"

namespace cli {
namespace {

using bloomery::Filter;
using bloomery::Kind;

constexpr std::string_view kDetails =
    R"(Makes a static filter, which is smaller than any Bloom filter and takes no more keys, of a file of lines, or
of an exact filter (build --kind exact, or the state of a dedup that still holds fingerprints): then with that
filter's hash. Without -o the name is that of the input with .blm as its extension.

Kinds: ribbon (the default: at most 2% over the least possible size from 10,000 keys on, slower to build and
ask), fuse (12.5% over, or 7.5% with 4 cells of a key, rates 2^-8, 2^-16 and 2^-32; faster). A rate is rounded
down to the next that the kind has: 2^-r for r bits.
The keys are kept until all are read: 40 bytes for each, within --memory.

Examples:
  bloomery freeze --fpr 0.1% blocked.keys
  bloomery freeze -o blocked.blm --kind fuse known.blm
)";

constexpr double kDefaultFpr = 0.01;

struct Options {
  CommonOptions common;
  HashOptions hash;
  bool progress = false;
  std::string output, input;
  std::string kind = "ribbon";
  std::optional<double> fpr;
  std::optional<std::uint64_t> memory;
};

std::string output_of(const Options& options) {
  if (!options.output.empty()) return options.output;
  if (options.input == "-") throw Failure{"--output: is needed when the keys come from standard input"};
  return std::filesystem::path(options.input).replace_extension(".blm");
}

Kind kind_from(const Options& options) {
  const auto kind = bloomery::kind_from_name(options.kind);
  if (kind == Kind::fuse || kind == Kind::ribbon) return *kind;
  throw Failure{fmt::format("--kind: '{}' is not a static kind; allowed are ribbon, fuse", options.kind)};
}

// Exceptions must not cross the library: what went wrong is thrown afterwards.
struct Visit {
  KeyList& list;
  std::exception_ptr failure = {};
};

void read_fingerprints(const Filter& from, KeyList& list) {
  Visit visit{list};
  const auto add = [](void* context, std::span<const bloomery::Hash> run) {
    Visit& v = *static_cast<Visit*>(context);
    if (v.failure) return;
    try {
      v.list.add(run);
    } catch (...) {
      v.failure = std::current_exception();
    }
  };
  take(from.visit_fingerprints(add, &visit));
  if (visit.failure) std::rethrow_exception(visit.failure);
}

void refuse_hash_options(const HashOptions& hash) {
  if (!hash.hash.empty() || !hash.seed.empty())
    throw Failure{"--hash, --seed: a filter keeps the hash that its keys were put in with; leave them out"};
}

// Reads the keys, and returns what hashed them.
bloomery::Hasher keys_of_input(const Options& options, KeyList& list) {
  const auto opened = options.input == "-" ? std::nullopt : std::optional(bloomery::open(options.input, {.without_key = true}));
  if (opened && *opened) {
    const Filter& from = **opened;
    if (from.kind() != Kind::exact)
      throw Failure{fmt::format("{}: a filter of kind {} does not know its keys; only lines and exact filters can be frozen",
                                options.input, bloomery::name(from.kind()))};
    refuse_hash_options(options.hash);
    if (from.key_missing()) {
      const Filter with_key = open_filter(options.input, options.hash.key_file, bloomery::Load::map);
      read_fingerprints(with_key, list);
      return with_key.hasher();
    }
    read_fingerprints(from, list);
    return from.hasher();
  }
  const bloomery::Hasher hasher = hasher_from(options.hash);
  Progress progress({.forced = options.progress, .quiet = options.common.quiet});
  cli::read_keys({options.input}, HashBatch(hasher), progress, list);
  return hasher;
}

Json json_summary(const std::string& output, const Filter& filter, std::uint64_t keys) {
  return {{"file", output},
          {"kind", bloomery::name(filter.kind())},
          {"keys_offered", keys},
          {"keys_inserted", filter.counts().inserted},
          {"fpr", filter.current_fpr()},
          {"size_bytes", filter.size_bytes()}};
}

std::string text_summary(const std::string& output, const Filter& filter) {
  const std::uint64_t keys = filter.counts().inserted;
  const double bits = keys == 0 ? 0 : 8 * static_cast<double>(filter.size_bytes()) / static_cast<double>(keys);
  return fmt::format("{}: {} keys, {}, {}, {:.2f} bits per key, fpr {}", output, grouped(keys), bloomery::name(filter.kind()),
                     human_bytes(filter.size_bytes()), bits, short_number(filter.current_fpr()));
}

int run(const Options& options) {
  const Kind kind = kind_from(options);
  const std::string output = output_of(options);
  refuse_terminal(output);
  if (is_among(output, {options.input})) throw Failure{output + ": is the input and the output at once"};
  KeyList list(options.memory.value_or(default_memory_bytes()));
  const bloomery::Hasher hasher = keys_of_input(options, list);
  const Filter filter = build_static({.kind = kind, .fpr = options.fpr.value_or(kDefaultFpr)}, hasher, list);
  store(filter, output);
  const int json_fd = output == "-" ? STDERR_FILENO : STDOUT_FILENO;
  if (options.common.json) print_json(json_fd, json_summary(output, filter, list.keys().size()));
  else if (!options.common.quiet) print_note(text_summary(output, filter));
  return kExitSuccess;
}

Run add(CLI::App& app) {
  const auto options = std::make_shared<Options>();
  app.add_option("-o,--output", options->output, "The filter to write (default: IN.blm); -: standard output")
      ->type_name("FILE");
  add_rate(app, "--fpr", options->fpr, "False-positive rate (default 0.01)");
  app.add_option("--kind", options->kind, "ribbon (default), fuse")->type_name("NAME");
  add_size(app, "--memory", options->memory, {1, std::uint64_t{1} << 50},
           "For the keys (default 1G, or a quarter of the machine's)");
  add_hash(app, options->hash);
  add_common(app, options->common);
  add_progress(app, options->progress);
  app.add_option("IN", options->input, "Lines, or an exact filter")->required()->type_name("");
  return [options] { return run(*options); };
}

}  // namespace

constinit const Verb kFreeze = {"freeze", "[OPTION]... IN.keys", "Make the smallest filter of keys that will not change",
                                kDetails, add};

}  // namespace cli
