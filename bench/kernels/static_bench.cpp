// Static and counting filters: time to build, time for each lookup in a batch, size, against Bloom filters; and
// beside the fuse builder the same filter peeled with no care for caches.
//   static_bench [KEYS | KIND ...]   default 100000 2000000 20000000, and all kinds
//   static_bench 20000000 fuse8 naive
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "bloomery/filter.hpp"
#include "hash/nth_hash.hpp"
#include "kernels/naive_fuse.hpp"
#include "kernels/processor_time.hpp"

namespace {

using namespace bloomery;

// The least of three runs, for each key.
template <class Work>
double least_ns(std::uint64_t keys, Work work) {
  double best = 1e300;
  for (int run = 0; run < 3; ++run) {
    const double start = processor_ns();
    work();
    best = std::min(best, processor_ns() - start);
  }
  return best / static_cast<double>(keys);
}

double stopwatch(std::uint64_t keys, const auto& work) {
  const double start = processor_ns();
  work();
  return (processor_ns() - start) / static_cast<double>(keys);
}

void measure_naive(std::span<const Hash> keys) {
  Shape shape = Fuse::sized({.kind = Kind::fuse, .probes = 3, .cell_bits = 8}, keys.size());
  std::vector<std::byte> bytes(shape.cells);
  bool peeled = false;
  for (shape.salt = 1; !peeled && shape.salt < 9; ++shape.salt) {
    const double ns = stopwatch(keys.size(), [&] { peeled = naive::build_fuse8(shape, bytes, keys); });
    if (peeled) std::printf("%11zu  %-13s %8.1f\n", keys.size(), "naive fuse8", ns);
  }
}

struct Row {
  const char* label;
  PlanRequest want;
};

void measure(const Row& row, std::span<const Hash> keys, std::span<const Hash> strangers) {
  PlanRequest want = row.want;
  if (want.kind != Kind::exact) want.keys = keys.size();
  const auto planned = plan(want);
  if (!planned) return static_cast<void>(std::fprintf(stderr, "%s: %s\n", row.label, planned.error().message.c_str()));
  auto filter = Filter::build(*planned, Hasher::precomputed(), keys.first(1));
  const double build = least_ns(keys.size(), [&] { filter = Filter::build(*planned, Hasher::precomputed(), keys); });
  if (!filter) return static_cast<void>(std::fprintf(stderr, "%s: %s\n", row.label, filter.error().message.c_str()));
  const auto answers = std::make_unique<bool[]>(std::max(keys.size(), strangers.size()));
  std::uint64_t maybes = 0;
  const double hit = least_ns(keys.size(), [&] { filter->may_contain(keys, {answers.get(), keys.size()}); });
  const double miss = least_ns(strangers.size(),
                               [&] { maybes = filter->may_contain(strangers, {answers.get(), strangers.size()}); });
  const double fpr = static_cast<double>(maybes) / static_cast<double>(strangers.size());
  const double bits = static_cast<double>(filter->size_bytes()) * 8 / static_cast<double>(keys.size());
  std::printf("%11zu  %-13s %8.1f %8.1f %8.1f %9.3f %11.3g\n", keys.size(), row.label, build, hit, miss, bits, fpr);
}

}  // namespace

int main(int argc, char** argv) {
  std::setvbuf(stdout, nullptr, _IOLBF, 0);
  std::vector<std::uint64_t> sizes;
  std::vector<std::string_view> kinds;
  for (int i = 1; i < argc; ++i) {
    if (argv[i][0] >= '0' && argv[i][0] <= '9') sizes.push_back(std::strtoull(argv[i], nullptr, 10));
    else kinds.push_back(argv[i]);
  }
  const auto wanted = [&kinds](std::string_view kind) {
    return kinds.empty() || std::find(kinds.begin(), kinds.end(), kind) != kinds.end();
  };
  if (sizes.empty()) sizes = {100'000, 2'000'000, 20'000'000};
  const Row rows[] = {
      {"blocked", {.kind = Kind::blocked, .fpr = 0x1p-8}},
      {"classic", {.kind = Kind::classic, .fpr = 0x1p-8}},
      {"counting", {.kind = Kind::counting, .fpr = 0x1p-8}},
      {"counting line", {.kind = Kind::counting, .fpr = 0x1p-8, .lines_per_key = 1}},
      {"exact", {.kind = Kind::exact}},
      {"fuse8", {.kind = Kind::fuse, .fpr = 0x1p-8}},
      {"fuse8, 4", {.kind = Kind::fuse, .fpr = 0x1p-8, .hashes = 4}},
      {"ribbon8", {.kind = Kind::ribbon, .fpr = 0x1p-8}},
      {"ribbon10", {.kind = Kind::ribbon, .fpr = 0x1p-10}},
      {"fuse16", {.kind = Kind::fuse, .fpr = 0x1p-16}},
      {"fuse32", {.kind = Kind::fuse, .fpr = 0x1p-32}},
  };
  std::printf("%11s  %-13s %8s %8s %8s %9s %11s\n", "keys", "kind", "build", "hit", "miss", "bits/key", "fpr");
  for (const std::uint64_t keys : sizes) {
    const auto in = nth_hashes(0, keys), out = nth_hashes(keys, keys);
    for (const Row& row : rows)
      if (wanted(row.label)) measure(row, in, out);
    if (wanted("naive")) measure_naive(in);
  }
}
