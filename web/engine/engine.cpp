#include "engine.hpp"

#include <charconv>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <memory>
#include <string_view>

namespace page {

namespace {
std::vector<std::unique_ptr<bloomery::Filter>>& filters() {
  static std::vector<std::unique_ptr<bloomery::Filter>> kept;
  return kept;
}

// lo: a seed. lo, hi: a secret key of 16 bytes, as little-endian words.
bloomery::Hasher hasher_from(int id, std::uint64_t lo, std::uint64_t hi) {
  if (id == static_cast<int>(bloomery::HashId::murmur3)) return bloomery::Hasher::murmur3();
  if (id == static_cast<int>(bloomery::HashId::precomputed)) return bloomery::Hasher::precomputed();
  if (id == static_cast<int>(bloomery::HashId::aes)) return bloomery::Hasher::aes(lo);
  if (id == static_cast<int>(bloomery::HashId::siphash)) {
    bloomery::SecretKey secret;
    bloomery::store_le(secret.data(), lo);
    bloomery::store_le(secret.data() + sizeof lo, hi);
    return bloomery::Hasher::siphash(secret);
  }
  return bloomery::Hasher::xxh3(lo);
}

// Calls visit(key) for the decimal numbers from first on, as `seq` prints them.
template <class Visit>
int each_number(double first, int count, Visit visit) {
  char digits[24];
  const auto start = static_cast<std::uint64_t>(first);
  int yes = 0;
  for (std::uint64_t i = 0; i < static_cast<std::uint64_t>(count); ++i) {
    const auto end = std::to_chars(digits, digits + sizeof digits, start + i).ptr;
    yes += visit(std::string_view(digits, static_cast<std::size_t>(end - digits))) ? 1 : 0;
  }
  return yes;
}
}  // namespace

Outcome& outcome() {
  static Outcome outcome;
  return outcome;
}

int fail(const bloomery::Error& error) {
  outcome().message = error.message;
  return kFailed;
}

int keep(bloomery::Result<bloomery::Filter> filter) {
  if (!filter) return fail(filter.error());
  auto owned = std::make_unique<bloomery::Filter>(std::move(*filter));
  auto& kept = filters();
  for (std::size_t i = 0; i < kept.size(); ++i) {
    if (kept[i]) continue;
    kept[i] = std::move(owned);
    return static_cast<int>(i + 1);
  }
  kept.push_back(std::move(owned));
  return static_cast<int>(kept.size());
}

bloomery::Filter& filter_of(int handle) { return *filters()[static_cast<std::size_t>(handle - 1)]; }

void report_shape(const bloomery::Shape& shape) {
  auto& numbers = outcome().numbers;
  for (const double value :
       {static_cast<double>(shape.kind), static_cast<double>(shape.rule), static_cast<double>(shape.probes),
        static_cast<double>(shape.cell_bits), static_cast<double>(shape.lines_per_key),
        static_cast<double>(shape.cells)})
    numbers.push_back(value);
}

namespace {
void report_plan(const bloomery::Plan& plan) {
  outcome().numbers.clear();
  report_shape(plan.shape);
  for (const double value : {static_cast<double>(plan.keys), plan.fpr, plan.asked_fpr,
                             static_cast<double>(plan.size_bytes), plan.bits_per_key, plan.fpr_floor})
    outcome().numbers.push_back(value);
}

bloomery::Plan& last_plan() {
  static bloomery::Plan plan;
  return plan;
}

int planned(bloomery::Result<bloomery::Plan> plan) {
  if (!plan) return fail(plan.error());
  last_plan() = *plan;
  report_plan(*plan);
  return 0;
}
}  // namespace

PAGE_EXPORT(numbers) const double* numbers() { return outcome().numbers.data(); }
PAGE_EXPORT(numbers_count) int numbers_count() { return static_cast<int>(outcome().numbers.size()); }
PAGE_EXPORT(words) const std::uint64_t* words() { return outcome().words.data(); }
PAGE_EXPORT(words_count) int words_count() { return static_cast<int>(outcome().words.size()); }
PAGE_EXPORT(message) const char* message() { return outcome().message.c_str(); }
PAGE_EXPORT(allocate) void* allocate(std::size_t bytes) { return std::malloc(bytes == 0 ? 1 : bytes); }
PAGE_EXPORT(deallocate) void deallocate(void* bytes) { std::free(bytes); }

// ---- Planning. What is 0 is not given. ----

PAGE_EXPORT(plan)
int plan(int kind, double keys, double fpr, double bits, double bits_per_key, int hashes, int lines, int article) {
  bloomery::PlanRequest want;
  want.kind = static_cast<bloomery::Kind>(kind);
  if (bloomery::name(want.kind) == "?") return fail({bloomery::Errc::invalid_argument, "kind: there is none of that number"});
  if (keys > 0) want.keys = static_cast<std::uint64_t>(keys);
  if (fpr > 0) want.fpr = fpr;
  if (bits > 0) want.bits = static_cast<std::uint64_t>(bits);
  if (bits_per_key > 0) want.bits_per_key = bits_per_key;
  if (hashes > 0) want.hashes = static_cast<unsigned>(hashes);
  if (lines > 0) want.lines_per_key = static_cast<unsigned>(lines);
  want.article = article != 0;
  return planned(bloomery::plan(want));
}

// The rate of the last plan's shape with so many keys in.
PAGE_EXPORT(plan_fpr_at) double plan_fpr_at(double keys) {
  return bloomery::expected_fpr(last_plan().shape, static_cast<std::uint64_t>(keys));
}

PAGE_EXPORT(formulas) void formulas(double n, double m, double k, double p) {
  namespace f = bloomery::formula;
  outcome().numbers = {f::optimal_bits(n, p),        f::optimal_hashes(m, n),
                       f::textbook_fpr(n, m, k),     f::best_fpr(m / n),
                       f::bits_per_key_fixed(p, k),  f::bits_per_key_fixed_approx(p, k)};
}

// ---- Filters ----

// Of the last plan.
PAGE_EXPORT(create) int create(int hash, std::uint64_t lo, std::uint64_t hi) {
  return keep(bloomery::Filter::create(last_plan(), hasher_from(hash, lo, hi)));
}
PAGE_EXPORT(clone) int clone(int filter) { return keep(filter_of(filter).clone()); }
PAGE_EXPORT(release) void release(int filter) { filters()[static_cast<std::size_t>(filter - 1)].reset(); }
PAGE_EXPORT(clear) int clear(int filter) {
  const auto done = filter_of(filter).clear();
  return done ? 0 : fail(done.error());
}
PAGE_EXPORT(append_segment) int append_segment(int filter) {
  const auto done = filter_of(filter).append_segment(last_plan());
  return done ? 0 : fail(done.error());
}
PAGE_EXPORT(merge) int merge(int filter, int other) {
  const auto done = filter_of(filter).merge(filter_of(other));
  return done ? 0 : fail(done.error());
}

// 1: fresh, 0: a repeat.
PAGE_EXPORT(insert) int insert(int filter, const char* key, std::size_t length) {
  const auto done = filter_of(filter).insert(std::string_view(key, length));
  return done ? *done == bloomery::Inserted::fresh : fail(done.error());
}
PAGE_EXPORT(insert_hash) int insert_hash(int filter, std::uint64_t lo, std::uint64_t hi) {
  const auto done = filter_of(filter).insert(bloomery::Hash{lo, hi});
  return done ? *done == bloomery::Inserted::fresh : fail(done.error());
}
// 1: erased, 0: certainly not in.
PAGE_EXPORT(erase) int erase(int filter, const char* key, std::size_t length) {
  const auto done = filter_of(filter).erase(std::string_view(key, length));
  return done ? *done == bloomery::Erased::erased : fail(done.error());
}
PAGE_EXPORT(may_contain) int may_contain(int filter, const char* key, std::size_t length) {
  return filter_of(filter).may_contain(std::string_view(key, length));
}
PAGE_EXPORT(may_contain_hash) int may_contain_hash(int filter, std::uint64_t lo, std::uint64_t hi) {
  return filter_of(filter).may_contain(bloomery::Hash{lo, hi});
}
// The words lo and hi.
PAGE_EXPORT(hash) void hash(int filter, const char* key, std::size_t length) {
  const bloomery::Hash h = filter_of(filter).hasher()(std::string_view(key, length));
  outcome().words = {h.lo, h.hi};
}

// The numbers first, first + 1, ... as decimal text. How many were fresh; how many may be in.
PAGE_EXPORT(insert_numbers) int insert_numbers(int filter, double first, int count) {
  return each_number(first, count, [&](std::string_view key) {
    const auto done = filter_of(filter).insert(key);
    return done && *done == bloomery::Inserted::fresh;
  });
}
PAGE_EXPORT(count_maybes) int count_maybes(int filter, double first, int count) {
  return each_number(first, count, [&](std::string_view key) { return filter_of(filter).may_contain(key); });
}

// ---- What a filter knows ----

PAGE_EXPORT(info) void info(int handle) {
  const bloomery::Filter& filter = filter_of(handle);
  const bloomery::Counts counts = filter.counts();
  outcome().numbers = {static_cast<double>(filter.kind()),
                       static_cast<double>(filter.hasher().id),
                       static_cast<double>(filter.segments().size()),
                       static_cast<double>(filter.planned_keys()),
                       filter.planned_fpr(),
                       filter.expected_fpr(),
                       static_cast<double>(counts.offered),
                       static_cast<double>(counts.inserted),
                       static_cast<double>(filter.size_bytes()),
                       filter.fill_ratio(),
                       filter.current_fpr(),
                       filter.estimated_keys().value_or(std::numeric_limits<double>::quiet_NaN()),
                       static_cast<double>(counts.estimated),
                       static_cast<double>(filter.key_missing())};
  outcome().words = {filter.hasher().seed()};
}

// Its shape, planned keys and rate, keys in it, and where its bytes are: address, length.
PAGE_EXPORT(segment) int segment(int handle, int index) {
  const auto segments = filter_of(handle).segments();
  if (index < 0 || static_cast<std::size_t>(index) >= segments.size()) return kFailed;
  const bloomery::Segment& one = segments[static_cast<std::size_t>(index)];
  outcome().numbers.clear();
  report_shape(one.shape);
  for (const double value :
       {static_cast<double>(one.planned_keys), one.planned_fpr, static_cast<double>(one.keys_inserted),
        static_cast<double>(reinterpret_cast<std::uintptr_t>(one.bytes.data())),
        static_cast<double>(one.bytes.size())})
    outcome().numbers.push_back(value);
  return 0;
}

// ---- Files ----

PAGE_EXPORT(decode) int decode(const std::byte* bytes, std::size_t size) {
  const bloomery::ConstBytes file(bytes, size);
  if (const auto sound = bloomery::verify(file); !sound) return fail(sound.error());
  bloomery::OpenOptions options;
  options.load = bloomery::Load::copy;
  options.without_key = true;
  return keep(bloomery::decode(file, options));
}

// The file form: its address and length in numbers(); good until the next encode.
PAGE_EXPORT(encode) int encode(int filter) {
  static std::vector<std::byte> file;
  auto encoded = bloomery::encode(filter_of(filter));
  if (!encoded) return fail(encoded.error());
  file = std::move(*encoded);
  outcome().numbers = {static_cast<double>(reinterpret_cast<std::uintptr_t>(file.data())),
                       static_cast<double>(file.size())};
  return 0;
}

}  // namespace page
