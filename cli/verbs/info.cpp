// info: everything that a filter file knows about itself.
#include <fmt/format.h>
#include <unistd.h>

#include <cmath>
#include <memory>
#include <nlohmann/json.hpp>

#include "bloomery/kernel.hpp"
#include "bloomery/layout/windowed.hpp"
#include "cli/common.hpp"
#include "cli/sigbus.hpp"
#include "cli/verbs.hpp"

namespace cli {
namespace {

constexpr std::string_view kDetails =
    R"(Says what kind of filter it is, what it was planned for, and what its bits say about it now. Needs no
secret key. With --json, names are stable; a number that is not known is null.
For classic filters the JSON also has size (bits), hash_count, items_added and estimated_fp_rate, which is
(1 - e^(-k n / m))^k with n = items_added.

Examples:
  bloomery info seen.blm
  bloomery info --json seen.blm | jq .current_fpr
)";

struct Options {
  CommonOptions common;
  std::string filter;
};

template <class T>
Json or_null(const std::optional<T>& value) {
  return value ? Json(*value) : Json(nullptr);
}

Json json_segment(const bloomery::Segment& segment) {
  return {{"kind", bloomery::name(segment.shape.kind)},
          {"rule", segment.shape.rule},
          {"probes", segment.shape.probes},
          {"lines_per_key", segment.shape.lines_per_key},
          {"cell_bits", segment.shape.cell_bits},
          {"cells", segment.shape.cells},
          {"size_bits", size_bits(segment.shape)},
          {"planned_keys", segment.planned_keys},
          {"planned_fpr", segment.planned_fpr},
          {"keys_inserted", segment.keys_inserted}};
}

// The numbers of a textbook filter, under the names that they have there.
void add_textbook_numbers(Json& json, const bloomery::Filter& filter) {
  const bloomery::Shape& shape = filter.segments().front().shape;
  const auto items = static_cast<double>(filter.counts().offered);
  json["size"] = shape.cells;
  json["hash_count"] = shape.probes;
  json["items_added"] = filter.counts().offered;
  json["estimated_fp_rate"] =
      bloomery::formula::textbook_fpr(items, static_cast<double>(shape.cells), static_cast<double>(shape.probes));
}

void add_file_facts(Json& json, const bloomery::FileInfo& file) {
  json["file_bytes"] = file.file_bytes;
  json["header_bytes"] = file.header_bytes;
  json["alignment"] = file.alignment;
  json["chunks"] = file.chunks;
  json["format_version"] = file.version;
  json["required_features"] = file.required_features;
  json["optional_features"] = file.optional_features;
}

Json json_info(const Options& options, const bloomery::Filter& filter, const bloomery::FileInfo& file) {
  const bloomery::Counts counts = filter.counts();
  const bloomery::Hasher& hasher = filter.hasher();
  Json json = {{"file", options.filter},
               {"kind", bloomery::name(filter.kind())},
               {"hash", bloomery::name(hasher.id)},
               {"seed", hasher.seeded() ? Json(hasher.seed()) : Json(nullptr)},
               {"secret_key", hasher.secret()},
               {"planned_keys", filter.planned_keys()},
               {"planned_fpr", filter.planned_fpr()},
               {"keys_offered", counts.offered},
               {"keys_inserted", counts.inserted},
               {"keys_inserted_is_estimate", counts.estimated},
               {"expected_wrong_repeats", counts.expected_wrong_repeats},
               {"fill_ratio", filter.kind() == bloomery::Kind::exact ? Json(nullptr) : Json(filter.fill_ratio())},
               {"expected_fpr", filter.expected_fpr()},
               {"current_fpr", filter.current_fpr()},
               {"estimated_keys", or_null(filter.estimated_keys())},
               {"size_bytes", filter.size_bytes()},
               {"kernel", bloomery::active_kernel()}};
  add_file_facts(json, file);
  json["growth"] = nullptr;
  if (const auto growth = filter.growth())
    json["growth"] = {{"fpr", growth->fpr}, {"remember_keys", growth->remember_keys}, {"most_memory", growth->most_memory}};
  for (const bloomery::Segment& segment : filter.segments()) json["segments"].push_back(json_segment(segment));
  if (filter.kind() == bloomery::Kind::classic) add_textbook_numbers(json, filter);
  return json;
}

std::string describe_shape(const bloomery::Shape& shape) {
  switch (shape.kind) {
    case bloomery::Kind::classic:
      return fmt::format("{} bits, {} probes per key, index rule {}", grouped(shape.cells), shape.probes, shape.rule);
    case bloomery::Kind::blocked:
      return fmt::format("{} lines of 512 bits, {} per key, {} bits in each", grouped(shape.cells), shape.lines_per_key,
                         shape.probes);
    case bloomery::Kind::exact:
      return fmt::format("{} fingerprints of 128 bits", grouped(shape.cells));
    case bloomery::Kind::counting:
      return fmt::format("{} counters of {} bits, {} per key{}", grouped(shape.cells), shape.cell_bits, shape.probes,
                         shape.rule == 2 ? ", in one line of 512 bits" : "");
    case bloomery::Kind::fuse:
      return fmt::format("{} fingerprints of {} bits, {} per key", grouped(shape.cells), shape.cell_bits, shape.probes);
    case bloomery::Kind::windowed:
      return fmt::format("{} generations of {} lines of 512 bits, {} per key, {} bits in each; a window of {} keys{}{}",
                         shape.param[1] + 1, grouped(shape.cells), shape.lines_per_key, shape.probes,
                         grouped(shape.param[0]),
                         (shape.rule & bloomery::Windowed::kFromFirst) != 0 ? ", from the first sighting" : "",
                         (shape.rule & bloomery::Windowed::kWhenTold) != 0 ? ", by the clock" : "");
    case bloomery::Kind::ribbon:
      return fmt::format("{} slots of {} bits in three layers", grouped(shape.cells), shape.cell_bits);
  }
  return "?";
}

std::string describe_plan(std::uint64_t keys, double fpr) {
  return keys == 0 ? std::string("nothing") : fmt::format("{} keys at fpr {}", grouped(keys), short_number(fpr));
}

std::string describe_counts(const bloomery::Filter& filter) {
  const bloomery::Counts counts = filter.counts();
  const auto estimate = filter.estimated_keys();
  return fmt::format("{} inserted{}, {} offered, {} by the bits", grouped(counts.inserted),
                     counts.estimated ? " (an estimate)" : "", grouped(counts.offered),
                     estimate ? grouped(static_cast<std::uint64_t>(std::llround(*estimate))) : "unknown");
}

std::string text_info(const Options& options, const bloomery::Filter& filter, const bloomery::FileInfo& file) {
  std::string text;
  const auto say = [&text](std::string_view what, std::string_view value) {
    text += fmt::format("{:<13}{}\n", what, value);
  };
  say("file", options.filter);
  say("kind", bloomery::name(filter.kind()));
  for (const bloomery::Segment& segment : filter.segments()) say("shape", describe_shape(segment.shape));
  say("hash", describe(filter.hasher(), filter.key_missing()));
  say("planned", describe_plan(filter.planned_keys(), filter.planned_fpr()));
  if (const auto growth = filter.growth())
    say("grows", fmt::format("exact up to {} keys, then within {} times the memory of a planned filter",
                             grouped(growth->remember_keys), short_number(growth->most_memory)));
  say("keys", describe_counts(filter));
  if (filter.kind() != bloomery::Kind::exact) say("fill", fmt::format("{:.2f}%", 100 * filter.fill_ratio()));
  say("fpr", fmt::format("{} by the bits, {} expected", short_number(filter.current_fpr()),
                         short_number(filter.expected_fpr())));
  say("size", fmt::format("{}, file {}", human_bytes(filter.size_bytes()), human_bytes(file.file_bytes)));
  text += fmt::format("{:<13}version {}, header {} bytes, alignment {}, {} chunks", "format", file.version,
                      file.header_bytes, file.alignment, grouped(file.chunks));
  text += fmt::format("\n{:<13}{}", "kernel", bloomery::active_kernel());
  return text;
}

int run(const Options& options) {
  name_mapped_file(options.filter);
  const bloomery::Filter filter = take(bloomery::open(options.filter, {.without_key = true}));
  const bloomery::FileInfo file = take(bloomery::inspect(options.filter));
  if (options.common.json)
    print_json(STDOUT_FILENO, json_info(options, filter, file));
  else if (!options.common.quiet)
    print_text(STDOUT_FILENO, text_info(options, filter, file));
  return kExitSuccess;
}

Run add(CLI::App& app) {
  const auto options = std::make_shared<Options>();
  add_common(app, options->common);
  app.add_option("FILE", options->filter, "The filter")->required()->type_name("");
  return [options] { return run(*options); };
}

}  // namespace

constinit const Verb kInfo = {"info", "[OPTION]... FILE", "Say what a filter is and how full it is", kDetails, add};

}  // namespace cli
