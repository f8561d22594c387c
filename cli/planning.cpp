#include "cli/planning.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "bloomery/layout/counting.hpp"
#include "cli/common.hpp"

namespace cli {
namespace {

using bloomery::Kind;
using bloomery::Plan;
using bloomery::PlanRequest;

constexpr double kDefaultFpr = 0.01;
constexpr std::uint64_t kFingerprintBytes = 16;

void refuse(bool wrong, std::string_view message) {
  if (wrong) throw Failure{std::string(message)};
}

void refuse_contradictions(const Givens& g) {
  refuse(g.items && g.memory_bytes && g.bits_per_key,
         "--memory: --items and --bits-per-key say the size already; leave one of the three out");
  refuse(g.memory_bytes && g.bits_per_key && g.fpr,
         "--fpr: follows from --bits-per-key; with --memory too, leave one of the three out");
  refuse(!g.items && g.fpr && g.bits_per_key, "--fpr: follows from --bits-per-key; leave one out, or give --items");
}

void refuse_too_few(const Givens& g) {
  if (g.items || (g.memory_bytes && (g.fpr || g.bits_per_key))) return;
  refuse(g.memory_bytes && g.hashes, "--memory: with --hashes promises nothing; give --items or --fpr as well");
  refuse(g.memory_bytes.has_value(), "--memory: is not enough; give --items, --fpr or --bits-per-key as well");
  if (g.hashes && (g.fpr || g.bits_per_key)) return;
  refuse(g.fpr.has_value(), "--fpr: is not enough; give --items, --memory or --hashes as well");
  refuse(g.bits_per_key.has_value(), "--bits-per-key: is not enough; give --items, --memory or --hashes as well");
  refuse(g.hashes.has_value(), "--hashes: is not enough; give --items, --fpr or --bits-per-key as well");
  refuse(true, "--items: is missing; give it, or --memory and --fpr, or --hashes and --fpr");
}

std::uint64_t items_that_fit(std::uint64_t memory_bytes, double bits_per_key) {
  const double items = std::floor(8 * static_cast<double>(memory_bytes) / bits_per_key);
  refuse(items < 1, "--memory: has no room for even one item at these --bits-per-key");
  refuse(items > static_cast<double>(kMostItems), "--memory: has room for more than 2^40 items at these --bits-per-key");
  return static_cast<std::uint64_t>(items);
}

PlanRequest request_for(const Givens& g, Kind kind) {
  PlanRequest want{.kind = kind, .keys = g.items, .fpr = g.fpr};
  if (g.memory_bytes) want.bits = 8 * *g.memory_bytes;
  else want.bits_per_key = g.bits_per_key;
  if (g.hashes) want.hashes = static_cast<unsigned>(*g.hashes);
  return want;
}

// The size that was given, in bits; 0: none was.
double given_bits(const Givens& g, std::uint64_t keys) {
  if (g.memory_bytes) return 8 * static_cast<double>(*g.memory_bytes);
  return g.bits_per_key ? *g.bits_per_key * static_cast<double>(keys) : 0;
}

// How many of `count` tests are made on average until the first that fails, if each holds with chance `holds`.
double expected_tests(double holds, double count) {
  return holds >= 1 ? count : (1 - std::pow(holds, count)) / (1 - holds);
}

void add_cost(Column& column) {
  const Plan& plan = column.plan;
  const bloomery::Shape& shape = plan.shape;
  if (shape.kind == Kind::exact) {  // linear probing in order, three quarters full: 2.5 slots, four in a line
    column.lines_if_new = column.lines_if_held = 1 + (2.5 - 1) / 4;
  } else if (shape.kind == Kind::blocked) {
    column.lines_if_held = shape.lines_per_key;
    column.lines_if_new = expected_tests(std::pow(plan.fpr, 1.0 / shape.lines_per_key), shape.lines_per_key);
  } else if (shape.kind == Kind::windowed) {  // in each of its places a key has a line of every generation
    const auto lines = static_cast<double>(shape.param[1] + 1);
    column.lines_if_held = lines * shape.lines_per_key;
    column.lines_if_new = lines * expected_tests(std::pow(plan.fpr, 1.0 / shape.lines_per_key), shape.lines_per_key);
  } else if (shape.kind == Kind::fuse) {  // all cells are read, whatever they hold
    column.lines_if_new = column.lines_if_held = shape.probes;
  } else if (shape.kind == Kind::ribbon) {  // a code, then one block of slots or two: a key starts anywhere in a block
    const double block_lines = 1 + (8.0 * shape.cell_bits - 1) / 64;
    column.lines_if_new = column.lines_if_held = 1 + block_lines + 1;
  } else if (shape.kind == Kind::counting && shape.rule == bloomery::Counting::kLineRule) {
    column.lines_if_new = column.lines_if_held = 1;
  } else {
    const double throws = static_cast<double>(plan.keys) * shape.probes;
    const double fill = -std::expm1(throws * std::log1p(-1 / static_cast<double>(shape.cells)));
    column.lines_if_held = shape.probes;
    column.lines_if_new = expected_tests(fill, shape.probes);
  }
}

bool is_static(Kind kind) { return kind == Kind::fuse || kind == Kind::ribbon; }

// The same size and lines per key, whatever else was said.
PlanRequest same_size(const Plan& plan, unsigned hashes) {
  PlanRequest want{.kind = plan.shape.kind, .keys = plan.keys, .bits = size_bits(plan.shape), .hashes = hashes};
  if (plan.shape.kind == Kind::blocked) want.lines_per_key = plan.shape.lines_per_key;
  return want;
}

void add_curves(Column& column) {
  const Plan& plan = column.plan;
  for (std::size_t i = 0; i < kLoads.size(); ++i) {
    const double keys = std::max(1.0, std::round(kLoads[i] * static_cast<double>(plan.keys)));
    column.load_curve[i] = bloomery::expected_fpr(plan.shape, static_cast<std::uint64_t>(keys));
  }
  if (plan.shape.kind == Kind::exact || is_static(plan.shape.kind)) return;
  for (unsigned hashes = plan.shape.probes - 1U; hashes <= plan.shape.probes + 1U; ++hashes) {
    const auto other = bloomery::plan(same_size(plan, hashes));
    column.around.push_back({hashes, other ? std::optional(other->fpr) : std::nullopt});
  }
}

// It keeps all keys at 16 bytes each: a size can be kept, not chosen.
Column solve_exact(const Givens& g) {
  const std::string name(bloomery::name(Kind::exact));
  const std::uint64_t keys = g.items ? *g.items : *g.memory_bytes / kFingerprintBytes;
  const double bits = given_bits(g, keys);
  if (keys == 0 || (bits > 0 && bits < 8.0 * kFingerprintBytes * static_cast<double>(keys)))
    return {.name = name, .problem = fmt::format("needs {} bits of every key, which is more than the given size",
                                                 8 * kFingerprintBytes)};
  return solve_one(name, {.kind = Kind::exact, .keys = std::min(keys, kMostItems)});
}

void require_a_solution(const Givens& g, const std::vector<Column>& columns) {
  const bool any = std::any_of(columns.begin(), columns.end(), [](const Column& c) {
    return c.solved() && c.plan.shape.kind != Kind::exact;
  });
  if (any) return;
  std::string names;
  const auto add = [&names](bool given, std::string_view name) {
    if (given) names += names.empty() ? std::string(name) : fmt::format(", {}", name);
  };
  add(g.items.has_value(), "--items"), add(g.fpr && !g.default_fpr, "--fpr"), add(g.memory_bytes.has_value(), "--memory");
  add(g.bits_per_key.has_value(), "--bits-per-key"), add(g.hashes.has_value(), "--hashes");
  throw Failure{fmt::format("{}: {}", names, columns.front().problem)};
}

}  // namespace

Column solve_one(std::string name, const PlanRequest& want) {
  Column column{.name = std::move(name), .recipe = want};
  const auto solved = bloomery::plan(want);
  if (!solved) {
    column.problem = solved.error().message;
    return column;
  }
  column.plan = *solved;
  if (want.bits || want.bits_per_key) column.recipe = same_size(*solved, solved->shape.probes);
  add_cost(column);
  add_curves(column);
  return column;
}

void settle(Givens& givens) {
  refuse_contradictions(givens);
  refuse_too_few(givens);
  if (givens.memory_bytes && givens.bits_per_key)
    givens.items = items_that_fit(*givens.memory_bytes, *givens.bits_per_key);
  givens.default_fpr = givens.items && !givens.fpr && !givens.memory_bytes && !givens.bits_per_key;
  if (givens.default_fpr) givens.fpr = kDefaultFpr;
}

std::vector<Column> solve(const Givens& givens) {
  std::vector<Column> columns;
  const bool textbook = givens.fpr && !givens.memory_bytes && !givens.bits_per_key && !givens.hashes;
  for (const Kind kind : {Kind::classic, Kind::blocked, Kind::exact}) {
    const std::string name(bloomery::name(kind));
    columns.push_back(kind == Kind::exact ? solve_exact(givens) : solve_one(name, request_for(givens, kind)));
    if (kind != Kind::classic || !textbook) continue;
    PlanRequest article = request_for(givens, kind);
    article.article = true;
    columns.push_back(solve_one("textbook", article));
  }
  require_a_solution(givens, columns);
  return columns;
}

std::vector<FixedHashes> fixed_hashes(unsigned hashes, std::optional<double> fpr, double bits_per_key) {
  namespace formula = bloomery::formula;
  std::vector<FixedHashes> rows;
  for (unsigned k = std::max(1U, hashes - 1); k <= hashes + 1; ++k) {
    const double rate = fpr ? *fpr : formula::textbook_fpr(1, bits_per_key, k);
    rows.push_back({k, rate, formula::bits_per_key_fixed(rate, k), formula::bits_per_key_fixed_approx(rate, k)});
  }
  return rows;
}

HashSets hash_sets(std::uint64_t keys) noexcept {
  // A node is next (8), hash (8) and string (32); malloc makes 64 of these 48; a bucket is 8 more.
  constexpr std::uint64_t kNodeBytes = 64, kBucketBytes = 8;
  return {(kFingerprintBytes * keys * 4 + 2) / 3, (kNodeBytes + kBucketBytes) * keys};
}

std::string cpp_line(const Column& column) {
  const PlanRequest& want = column.recipe;
  std::string fields = fmt::format(".kind = bloomery::Kind::{}", bloomery::name(want.kind));
  const auto add = [&fields](std::string_view name, const auto& value) {
    if (value) fields += fmt::format(", .{} = {}", name, *value);
  };
  add("keys", want.keys), add("fpr", want.fpr), add("bits", want.bits), add("hashes", want.hashes);
  add("lines_per_key", want.lines_per_key);
  if (want.article) fields += ", .article = true";
  return fmt::format("bloomery::Filter::create(*bloomery::plan({{{}}}), {})", fields,
                     want.article ? "bloomery::Hasher::murmur3()" : "bloomery::Hasher{}");
}

std::string cli_line(const Column& column) {
  const PlanRequest& want = column.recipe;
  std::string line = fmt::format("bloomery build -o FILE --kind {}", bloomery::name(want.kind));
  if (want.kind == Kind::exact) return line;  // it grows by itself
  if (is_static(want.kind)) return want.fpr ? fmt::format("{} --fpr {}", line, *want.fpr) : line;
  const auto add = [&line](std::string_view name, const auto& value) {
    if (value) line += fmt::format(" --{} {}", name, *value);
  };
  if (want.article) line += " --hash murmur3";
  add("expected", want.keys), add("fpr", want.fpr), add("bits", want.bits), add("hashes", want.hashes);
  add("lines-per-key", want.lines_per_key);
  return line;
}

}  // namespace cli
