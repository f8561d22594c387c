// Writes the golden files of our own format, and beside each a JSON of keys and the answers to expect.
// Shapes are given, not planned: log() differs between C libraries, these bytes must not.
//   make_golden FOLDER           all of them
//   make_golden --large FOLDER   one of more than 2 MiB, too large to keep
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "bloomery/file.hpp"
#include "bloomery/layout/counting.hpp"

namespace {

using namespace bloomery;
using Json = nlohmann::ordered_json;

constexpr std::uint64_t kListed = 30;  // keys in, and keys out, that a JSON names

[[noreturn]] void fail(const Error& error) {
  std::fprintf(stderr, "make_golden: %s\n", error.message.c_str());
  std::exit(2);
}
void must(const Result<void>& result) {
  if (!result) fail(result.error());
}
template <class T>
T must(Result<T> result) {
  if (!result) fail(result.error());
  return std::move(*result);
}

std::string hex(std::string_view bytes) {
  std::string text;
  for (const char c : bytes) {
    constexpr char kDigits[] = "0123456789abcdef";
    text += kDigits[static_cast<unsigned char>(c) >> 4];
    text += kDigits[static_cast<unsigned char>(c) & 15];
  }
  return text;
}
std::string hex(std::uint64_t word) { return hex({reinterpret_cast<const char*>(&word), 8}); }

// Distinct keys of many lengths, the empty one and bytes above 127 among them.
std::string key(std::uint64_t i) {
  if (i == 0) return "";
  std::string text = std::to_string(i);
  const std::uint64_t size = i < 25 ? 2 * i : i % 10 == 0 ? 100 + i % 300 : 0;
  for (std::uint64_t j = text.size(); j < size; ++j) text += static_cast<char>(j * 41 + i);
  return text;
}
Hash hash(std::uint64_t i) { return {mix(i * 2 + 1), mix(i * 2 + 1'000'000'007)}; }

SecretKey secret() {
  SecretKey bytes;
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::byte>(i * 15 + 7);
  return bytes;
}

Plan plan_of(const Shape& shape, std::uint64_t keys) { return {.shape = shape, .keys = keys, .fpr = 0.0625}; }
Shape classic(std::uint64_t bits, unsigned probes, std::uint8_t rule = 1) {
  return {.kind = Kind::classic, .rule = rule, .probes = static_cast<std::uint8_t>(probes), .cells = bits};
}
Shape blocked(std::uint64_t lines, unsigned probes, unsigned lines_per_key = 1) {
  return {.kind = Kind::blocked, .probes = static_cast<std::uint8_t>(probes),
          .lines_per_key = static_cast<std::uint8_t>(lines_per_key), .cells = lines};
}
Shape exact() { return must(plan({.kind = Kind::exact})).shape; }

// Keys first .. first + n - 1.
void insert(Filter& filter, std::uint64_t n, std::uint64_t first = 0) {
  const bool strings = filter.can(Filter::Op::insert_string);
  for (std::uint64_t i = first; i < first + n; ++i)
    must(strings ? filter.insert(key(i)) : filter.insert(hash(i)));
}

// Keys by what the filter says of them: in hexadecimal; precomputed ones as lo, hi, little-endian.
void list_answers(Json& about, const Filter& filter, std::uint64_t n) {
  Json maybe = Json::array(), no = Json::array();
  const auto ask = [&](std::uint64_t i) {
    const bool words = filter.hasher().id == HashId::precomputed;
    const bool found = words ? filter.may_contain(hash(i)) : filter.may_contain(key(i));
    (found ? maybe : no).push_back(words ? hex(hash(i).lo) + hex(hash(i).hi) : hex(key(i)));
  };
  for (std::uint64_t i = 0; i < std::min(n, kListed); ++i) ask(i);
  for (std::uint64_t i = 0; i < kListed; ++i) ask(n + i);
  about["maybe"] = maybe;
  about["no"] = no;
}

// n: how many keys went in.
void save_golden(const std::filesystem::path& folder, const std::string& name, const Filter& filter,
                 std::uint64_t n) {
  must(save(filter, folder / (name + ".blm")));
  const Counts counts = filter.counts();
  Json about = {{"kind", std::string(bloomery::name(filter.kind()))},
                {"hash", std::string(bloomery::name(filter.hasher().id))},
                {"segments", filter.segments().size()},
                {"offered", counts.offered},
                {"inserted", counts.inserted},
                {"estimated", counts.estimated},
                {"expected_wrong_repeats", counts.expected_wrong_repeats}};
  const SecretKey& bytes = filter.hasher().key;
  if (filter.hasher().secret()) about["secret"] = hex({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
  list_answers(about, filter, n);
  std::ofstream(folder / (name + ".json")) << about.dump(1) << '\n';
}

Filter filled(const Shape& shape, const Hasher& hasher, std::uint64_t n) {
  Filter filter = must(Filter::create(plan_of(shape, n), hasher));
  insert(filter, n);
  return filter;
}

void hashers(const std::filesystem::path& folder) {
  const std::pair<std::string, Hasher> all[] = {{"xxh3", Hasher::xxh3()},
                                                {"xxh3_seed", Hasher::xxh3(0x0123456789ABCDEF)},
                                                {"murmur3", Hasher::murmur3()},
                                                {"siphash", Hasher::siphash(secret())},
                                                {"aes", Hasher::aes(0x0123456789ABCDEF)},
                                                {"precomputed", Hasher::precomputed()}};
  for (const auto& [name, hasher] : all) {
    const std::uint8_t rule = hasher.id == HashId::murmur3 ? 0 : 1;
    save_golden(folder, "classic_" + name, filled(classic(1001, 5, rule), hasher, 200), 200);
    save_golden(folder, "blocked_" + name, filled(blocked(3, 5), hasher, 200), 200);
    save_golden(folder, "exact_" + name, filled(exact(), hasher, 100), 100);
  }
}

void shapes(const std::filesystem::path& folder) {
  for (unsigned k = 1; k <= 8; ++k)
    save_golden(folder, "blocked_k" + std::to_string(k), filled(blocked(2, k), Hasher::xxh3(), 100), 100);
  for (const unsigned lines : {2u, 3u, 8u})
    save_golden(folder, "blocked_lines" + std::to_string(lines), filled(blocked(9, 3, lines), Hasher::xxh3(), 200), 200);
  for (const std::uint64_t bits : {1u, 2u, 9u, 64u, 130u, 520u})
    save_golden(folder, "classic_bits" + std::to_string(bits), filled(classic(bits, 2), Hasher::xxh3(), bits / 4), bits / 4);
  save_golden(folder, "exact_empty", filled(exact(), Hasher::xxh3(), 0), 0);
}

void paged(const std::filesystem::path& folder) {
  save_golden(folder, "classic_paged", filled(classic(524'283, 4), Hasher::xxh3(), 5000), 5000);
  save_golden(folder, "blocked_paged", filled(blocked(1025, 6, 2), Hasher::xxh3(), 5000), 5000);
  save_golden(folder, "exact_paged", filled(exact(), Hasher::xxh3(), 4099), 4099);
}

void several_segments(const std::filesystem::path& folder) {
  Filter compact = filled(classic(77, 3), Hasher::xxh3(), 10);
  must(compact.append_segment(plan_of(classic(333, 5), 40)));
  insert(compact, 40, 10);
  must(compact.append_segment(plan_of(classic(999, 6), 100)));
  insert(compact, 100, 50);
  save_golden(folder, "classic_segments", compact, 150);
  Filter large = filled(blocked(5, 4), Hasher::xxh3(), 100);
  must(large.append_segment(plan_of(blocked(1030, 5, 2), 4000)));
  insert(large, 4000, 100);
  save_golden(folder, "blocked_segments", large, 4100);
}

// The same segments, of a filter that says it grows. Its own shapes are planned, and so not for golden files.
void growing(const std::filesystem::path& folder) {
  const auto save_as_growing = [&](const std::string& name, const Filter& filter, const Growth& growth, std::uint64_t n) {
    const auto bytes = must(encode(filter));
    const Filter same = must(decode(bytes));
    Parts parts{.hasher = same.hasher(), .counts = same.counts(), .growth = growth, .segments = {}};
    parts.segments.assign(same.segments().begin(), same.segments().end());
    save_golden(folder, name, must(Filter::from_parts(std::move(parts))), n);
  };
  save_as_growing("growing_young", filled(exact(), Hasher::xxh3(), 50), {.fpr = 0.0625, .remember_keys = 100, .most_memory = 3.6}, 50);
  Filter filter = filled(blocked(3, 4), Hasher::xxh3(), 100);
  must(filter.append_segment(plan_of(blocked(11, 5, 2), 300)));
  insert(filter, 300, 100);
  save_as_growing("growing", filter, {.fpr = 0.0625, .remember_keys = 0, .most_memory = 4}, 400);
}

void counts(const std::filesystem::path& folder) {
  Filter merged = filled(blocked(4, 5), Hasher::xxh3(), 50);
  Filter other = must(Filter::create(plan_of(blocked(4, 5), 50), Hasher::xxh3()));
  insert(other, 60, 40);
  must(merged.merge(other));
  bloomery::Counts history = merged.counts();
  history.expected_wrong_repeats = 1.5;
  merged.set_counts(history);
  save_golden(folder, "blocked_merged", merged, 100);
}

void counting(const std::filesystem::path& folder) {
  for (const unsigned cell_bits : {2u, 4u, 8u, 16u})
    for (const bool in_line : {false, true}) {
      Shape shape = {.kind = Kind::counting, .rule = Counting::kSpreadRule, .probes = 3,
                     .cell_bits = static_cast<std::uint8_t>(cell_bits), .cells = 333};
      if (in_line) {
        shape.rule = Counting::kLineRule;
        shape.cells = 3 * 512 / cell_bits;
      }
      Filter filter = filled(shape, Hasher::xxh3(), 60);
      for (int i = 0; i < 20; ++i) insert(filter, 3);  // some of many, so that two bits saturate
      for (std::uint64_t i = 50; i < 60; ++i) must(filter.erase(key(i)));
      save_golden(folder, "counting" + std::to_string(cell_bits) + (in_line ? "_line" : "_spread"), filter, 50);
    }
}

Filter built(const Shape& shape, std::uint64_t n) {
  std::vector<Hash> hashes;
  for (std::uint64_t i = 0; i < n; ++i) hashes.push_back(Hasher::xxh3()(key(i)));
  return must(Filter::build(plan_of(shape, n), Hasher::xxh3(), hashes));
}

void static_kinds(const std::filesystem::path& folder) {
  for (const std::uint64_t n : {0u, 1u, 300u})
    for (const unsigned cell_bits : {8u, 16u, 32u})
      for (const unsigned probes : {3u, 4u}) {
        const Shape shape = {.kind = Kind::fuse, .probes = static_cast<std::uint8_t>(probes),
                             .cell_bits = static_cast<std::uint8_t>(cell_bits)};
        save_golden(folder, "fuse" + std::to_string(cell_bits) + "_" + std::to_string(probes) + "_keys" + std::to_string(n),
                    built(shape, n), n);
      }
  for (const std::uint64_t n : {0u, 1u, 300u, 5000u})
    for (const unsigned cell_bits : {1u, 7u, 32u}) {
      const Shape shape = {.kind = Kind::ribbon, .cell_bits = static_cast<std::uint8_t>(cell_bits)};
      save_golden(folder, "ribbon" + std::to_string(cell_bits) + "_keys" + std::to_string(n), built(shape, n), n);
    }
}

void windowed(const std::filesystem::path& folder) {
  for (const unsigned rule : {0u, 1u, 2u, 3u}) {
    const Shape shape = {.kind = Kind::windowed, .rule = static_cast<std::uint8_t>(rule), .probes = 5,
                         .lines_per_key = static_cast<std::uint8_t>(1 + rule / 2), .cells = 2, .param = {50, 3}};
    Filter filter = must(Filter::create(plan_of(shape, 50), Hasher::xxh3()));
    for (std::uint64_t first = 0; first < 90; first += 10) {
      insert(filter, 10, first);
      insert(filter, 2);  // sighted again and again
      if (rule >= 2 && first % 20 == 0) must(filter.begin_generation());
    }
    save_golden(folder, "windowed_rule" + std::to_string(rule), filter, 90);
  }
}

void xxh3_vectors(const std::filesystem::path& folder) {
  Json list = Json::array();
  for (std::uint64_t size = 0; size < 1100; size += size < 20 ? 1 : size < 260 ? 7 : 103)
    for (const std::uint64_t seed : {std::uint64_t{0}, std::uint64_t{0xFEDCBA9876543210}}) {
      std::string text;
      for (std::uint64_t j = 0; j < size; ++j) text += static_cast<char>(j * 41 + size);
      const Hash h = Hasher::xxh3(seed)(text);
      list.push_back({{"key", hex(text)}, {"seed", hex(seed)}, {"lo", hex(h.lo)}, {"hi", hex(h.hi)}});
    }
  std::ofstream(folder / "xxh3_vectors.json") << list.dump(1) << '\n';
}

}  // namespace

int main(int argc, char** argv) {
  const bool large = argc == 3 && std::string_view(argv[1]) == "--large";
  if (argc != 2 && !large) {
    std::fprintf(stderr, "usage: make_golden [--large] FOLDER\n");
    return 2;
  }
  const std::filesystem::path folder = argv[argc - 1];
  std::filesystem::create_directories(folder);
  if (large) {
    save_golden(folder, "blocked_large", filled(blocked(33'000, 5), Hasher::xxh3(), 300'000), 300'000);
    return 0;
  }
  for (const auto make : {hashers, shapes, paged, several_segments, growing, counts, counting, static_kinds, windowed, xxh3_vectors}) make(folder);
  return 0;
}
