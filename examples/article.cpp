// The filters of the reference article, bit for bit: classic layout, its pair of MurmurHash3 words, its
// formulas for size and hash count, and its block of statistics.
#include <bloomery/filter.hpp>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <initializer_list>
#include <string_view>

using bloomery::Filter;

namespace {

constexpr auto kFruits = {"apple", "banana", "orange", "grape", "kiwi", "mango", "peach"};
constexpr auto kMoreFruits = {"pear", "plum", "cherry"};

template <class T>
T or_exit(bloomery::Result<T> result) {
  if (result) return *std::move(result);
  std::fprintf(stderr, "%s\n", result.error().message.c_str());
  std::exit(1);
}

void insert_all(Filter& filter, std::initializer_list<const char*> keys) {
  for (const char* key : keys) or_exit(filter.insert(key));
}

void print_statistics(const Filter& filter) {
  const bloomery::Shape& shape = filter.segments()[0].shape;
  const auto items_added = static_cast<double>(filter.counts().offered);
  const double bits_per_item_share = shape.probes * items_added / static_cast<double>(shape.cells);
  const double fpr = std::pow(1 - std::exp(-bits_per_item_share), shape.probes);
  std::printf("{\n  \"size\": %llu,\n  \"hash_count\": %u,\n  \"items_added\": %.0f,\n",
              static_cast<unsigned long long>(shape.cells), shape.probes, items_added);
  std::printf("  \"fill_ratio\": %.6f,\n  \"estimated_fp_rate\": %.6f\n}\n", filter.fill_ratio(), fpr);
}

const char* answer(const Filter& filter, std::string_view key) { return filter.may_contain(key) ? "true" : "false"; }

}  // namespace

int main() {
  const auto article = bloomery::Hasher::murmur3();
  const auto optimal = or_exit(
      bloomery::plan({.kind = bloomery::Kind::classic, .keys = 1000, .fpr = 0.01, .article = true}));
  std::printf("Optimal size: %llu\nOptimal hash count: %u\n\n", static_cast<unsigned long long>(optimal.shape.cells),
              optimal.shape.probes);
  Filter filter = or_exit(Filter::create(optimal, article));
  insert_all(filter, kFruits);
  std::printf("'watermelon' in filter: %s\nStatistics: ", answer(filter, "watermelon"));
  print_statistics(filter);

  const auto small_plan = or_exit(
      bloomery::plan({.kind = bloomery::Kind::classic, .bits = 20, .hashes = 2, .article = true}));
  Filter small = or_exit(Filter::create(small_plan, article));
  insert_all(small, kFruits);
  insert_all(small, kMoreFruits);
  std::printf("\nSmall filter: 'watermelon' in filter: %s\nSmall filter statistics: ", answer(small, "watermelon"));
  print_statistics(small);
}
