#include "cli/advice.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>

namespace cli {
namespace {

using bloomery::Kind;

// Nanoseconds to build, for each of 2 M keys that are hashed already: rounded from two runs of static_bench 2000000
// (bench/kernels) on a processor with AVX-512.
struct Offer {
  Kind kind;
  double build_ns;
};
constexpr Offer kOffers[] = {{Kind::blocked, 6}, {Kind::classic, 35}, {Kind::counting, 85},
                             {Kind::fuse, 80},   {Kind::ribbon, 240}, {Kind::exact, 110}, {Kind::windowed, 50}};  // by windowed_bench 2e6

bool is_static(Kind kind) { return kind == Kind::fuse || kind == Kind::ribbon; }

std::string obstacle_of(Kind kind, const Needs& needs) {
  if (needs.window) return kind == Kind::windowed ? "" : "never forgets";
  if (kind == Kind::windowed) return "forgets what is older than its window";
  if (needs.deletes && kind != Kind::counting) return "cannot erase";
  if (is_static(kind)) {
    if (!needs.fixed) return "takes no more keys once it is built";
    if (needs.mergeable) return "cannot be merged";
  }
  if (needs.unknown_size && kind == Kind::blocked && needs.mergeable) return "cannot be merged where it grows";
  if (needs.unknown_size && kind != Kind::blocked && kind != Kind::exact) return "is planned for a number of keys";
  return {};
}

void refuse_contradictions(const Needs& needs) {
  const auto refuse = [](bool wrong, const char* message) {
    if (wrong) throw Failure{message};
  };
  refuse(needs.fixed && needs.deletes, "--static, --deletes: what never changes is not deleted from; leave one out");
  refuse(needs.fixed && needs.unknown_size, "--static, --unknown-size: keys that are all there can be counted; leave one out");
  refuse(needs.deletes && needs.unknown_size,
         "--deletes, --unknown-size: a counting filter is planned for a number of keys; leave one out, and plan for the most "
         "there can be");
  refuse(needs.window && (needs.deletes || needs.fixed || needs.unknown_size || needs.mergeable),
         "--window: only a windowed filter forgets, which is planned for the window, takes keys, erases none and does not merge; "
         "of the other needs give --hostile only");
}

// The first that does, of these: smaller ones come later in their row only if they cost more to ask.
constexpr Kind kPreferred[] = {Kind::counting, Kind::fuse, Kind::ribbon, Kind::blocked, Kind::classic, Kind::exact,
                               Kind::windowed};

bool does(const Candidate& candidate, const Needs& needs) {
  const Kind kind = candidate.column.plan.shape.kind;
  return candidate.obstacle.empty() && candidate.column.solved() && (kind != Kind::counting || needs.deletes);
}

const Candidate* find(const std::vector<Candidate>& candidates, Kind kind, const Needs& needs) {
  for (const Candidate& candidate : candidates)
    if (candidate.column.recipe.kind == kind && does(candidate, needs)) return &candidate;
  return nullptr;
}

// fuse, unless the rate falls between its widths and ribbon is a quarter smaller.
const Candidate* choose(const std::vector<Candidate>& candidates, const Needs& needs) {
  const Candidate* fuse = find(candidates, Kind::fuse, needs);
  const Candidate* ribbon = find(candidates, Kind::ribbon, needs);
  if (ribbon && (!fuse || 4 * ribbon->column.plan.size_bytes <= 3 * fuse->column.plan.size_bytes)) return ribbon;
  for (const Kind kind : kPreferred)
    if (const Candidate* found = find(candidates, kind, needs)) return found;
  throw Failure{"--fpr: no kind meets these needs at this rate; ask for a higher one"};
}

std::string_view reason_for(Kind kind, const Needs& needs) {
  switch (kind) {
    case Kind::counting: return "it is the one kind that keys can be taken out of";
    case Kind::fuse: return "the keys never change, and a static filter is smaller than a Bloom filter; ribbon is smaller still, "
                            "and slower to build and ask";
    case Kind::ribbon: return "the keys never change, and nothing is smaller; fuse is faster, but has rates of 2^-8, 2^-16 and "
                              "2^-32 only";
    case Kind::exact: return needs.unknown_size ? "it grows by itself, at 16 bytes a key and hardly ever a wrong answer"
                                                : "it is hardly ever wrong";
    case Kind::windowed: return "it forgets: a key is known for as many keys as there are in the window, and surely forgotten a quarter "
                                "of the window later";
    case Kind::classic: return "at this rate no other Bloom filter has a solution";
    case Kind::blocked: break;
  }
  if (needs.unknown_size) return "it adds segments and keeps its rate, in 40 MB or, past that, at no more than 2.6 times "
                                 "the size of one that is planned for so many keys";
  return needs.mergeable ? "filters of one plan merge into the very bits of the filter of all keys, and a lookup touches few cache lines"
         : needs.fixed   ? "it is the smallest that can do this"
                         : "a lookup touches few cache lines, for a few bits more than the textbook's filter";
}

std::string rounded(double lines) { return fmt::format("{:.1f}", lines); }

struct Row {
  std::string_view have;
  Needs needs;
  std::string_view wrong;
};

constexpr Row kRows[] = {
    {"many keys, a rate you can live with", {}, "\"maybe\" for a new key, at the rate you chose"},
    {"the same, from several places, to be put together (`merge`)", {.mergeable = true}, "the same"},
    {"keys that are taken out again", {.deletes = true}, "the same; erasing a key that is not in can lose others"},
    {"keys that are all known and never change", {.fixed = true}, "the same"},
    {"no idea how many keys will come", {.unknown_size = true}, "as for many keys"},
    {"a stream, of which only the last keys matter", {.window = true}, "as for many keys, among those of the window"},
    {"keys chosen by people who gain by a wrong answer", {.hostile = true}, "as for many keys; a public hash would let them choose"},
};

}  // namespace

Advice advise(const Needs& needs, std::uint64_t keys, double fpr) {
  refuse_contradictions(needs);
  Advice advice;
  for (const Offer& offer : kOffers) {
    bloomery::PlanRequest want{.kind = offer.kind, .keys = keys};
    if (offer.kind != Kind::exact) want.fpr = fpr;
    advice.candidates.push_back({solve_one(std::string(bloomery::name(offer.kind)), want), offer.build_ns,
                                 obstacle_of(offer.kind, needs)});
  }
  const Candidate* best = choose(advice.candidates, needs);
  advice.best = static_cast<std::size_t>(best - advice.candidates.data());
  const Kind kind = best->column.recipe.kind;
  advice.reason = reason_for(kind, needs);
  if (needs.hostile) advice.reason += "; with a secret key nobody can choose keys that meet";
  const bool grows = needs.unknown_size && kind == Kind::blocked;
  advice.command = kind == Kind::windowed ? fmt::format("bloomery dedup --window {} --fpr {}", keys, short_number(fpr))
                   : grows ? fmt::format("bloomery build -o FILE --grow --fpr {}", short_number(fpr)) : cli_line(best->column);
  if (needs.hostile) advice.command += " --hash siphash --key-file KEY";
  return advice;
}

std::string text_advice(const Advice& advice) {
  std::string text = fmt::format("advice: {}: {}\n  {}\n", advice.chosen().column.name, advice.reason, advice.command);
  text += fmt::format("  {:<10}{:>12}{:>10}{:>17}{:>9}\n", "kind", "size", "bits/key", "lines new, held", "build");
  for (const Candidate& candidate : advice.candidates) {
    const Column& c = candidate.column;
    if (!c.solved()) {
      text += fmt::format("  {:<10}{}\n", c.name, c.problem);
      continue;
    }
    text += fmt::format("  {:<10}{:>12}{:>10}{:>17}{:>6.0f} ns{}{}\n", c.name, human_bytes(c.plan.size_bytes),
                        fmt::format("{:.4g}", c.plan.bits_per_key), rounded(c.lines_if_new) + ", " + rounded(c.lines_if_held),
                        candidate.build_ns, candidate.obstacle.empty() ? "" : "  ", candidate.obstacle);
  }
  return text;
}

Json json_advice(const Advice& advice) {
  Json json = {{"kind", advice.chosen().column.name},
               {"reason", advice.reason},
               {"command", advice.command},
               {"candidates", Json::array()}};
  for (const Candidate& candidate : advice.candidates) {
    const Column& c = candidate.column;
    json["candidates"].push_back({{"kind", c.name},
                                  {"obstacle", candidate.obstacle.empty() ? Json(nullptr) : Json(candidate.obstacle)},
                                  {"problem", c.solved() ? Json(nullptr) : Json(c.problem)},
                                  {"size_bytes", c.plan.size_bytes},
                                  {"bits_per_key", c.plan.bits_per_key},
                                  {"cache_lines_new", c.lines_if_new},
                                  {"cache_lines_held", c.lines_if_held},
                                  {"build_ns_per_key", candidate.build_ns}});
  }
  return json;
}

std::string chooser() {
  std::string text = "| you have | take | bits per key | cache lines per lookup (new, held) | to build, ns per key | wrong |\n"
                     "|---|---|---|---|---|---|\n";
  for (const Row& row : kRows) {
    const Advice advice = advise(row.needs, 10'000'000, 0.01);
    const Column& c = advice.chosen().column;
    text += fmt::format("| {} | `{}`{}: {} | {:.1f} | {}, {} | {:.0f} | {} |\n", row.have, c.name,
                        row.needs.hostile        ? " with `--hash siphash`"
                        : row.needs.unknown_size ? " with `--grow`"
                                                 : "", advice.reason, c.plan.bits_per_key,
                        rounded(c.lines_if_new), rounded(c.lines_if_held), advice.chosen().build_ns, row.wrong);
  }
  return text;
}

}  // namespace cli
