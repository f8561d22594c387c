#include "filter/exact_table.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>
#include <utility>
#include <vector>

#include "bloomery/layout/exact.hpp"

namespace bloomery {
namespace {

constexpr std::uint64_t kNoLimit = ~std::uint64_t{0};

struct Less {
  bool operator()(Hash a, Hash b) const { return Exact::less(a, b); }
};
using Model = std::set<Hash, Less>;

void expect_same(const ExactTable& table, const Model& model) {
  ASSERT_EQ(table.size(), model.size());
  auto expected = model.begin();
  table.for_each([&](Hash h) {
    ASSERT_NE(expected, model.end());
    EXPECT_EQ(h, *expected++);
  });
}

// Hashes of several characters: well mixed, all in one corner of the table, and the edges.
std::vector<Hash> awkward_hashes(std::size_t count, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<Hash> hashes = {{0, 0}, {0, 1}, {1, 0}, {~0ull, ~0ull}, {~0ull, 0}, {0, ~0ull}};
  while (hashes.size() < count) {
    switch (random() % 4) {
      case 0: hashes.push_back({random(), random()}); break;
      case 1: hashes.push_back({random() % 50, random() % 50}); break;              // low corner
      case 2: hashes.push_back({~(random() % 50), random() % 50}); break;           // high corner: overflow slots
      default: hashes.push_back(hashes[random() % hashes.size()]); break;           // a repeat
    }
  }
  return hashes;
}

TEST(ExactTable, AgreesWithAModelSet) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    auto table = ExactTable::create(seed % 3 == 0 ? 1000 : 0);
    ASSERT_TRUE(table);
    Model model;
    for (const Hash h : awkward_hashes(3000, seed)) {
      ASSERT_EQ(table->contains(h), model.contains(h));
      const auto inserted = table->insert(h);
      ASSERT_TRUE(inserted);
      ASSERT_EQ(*inserted, model.insert(h).second);
      ASSERT_TRUE(table->contains(h));
    }
    expect_same(*table, model);
    auto copy = table->clone();
    ASSERT_TRUE(copy);
    expect_same(*copy, model);
    const auto odd = [](Hash h) { return h.hi % 2 == 1; };
    copy->retain(odd);
    std::erase_if(model, [&](Hash h) { return !odd(h); });
    expect_same(*copy, model);
    for (const Hash h : awkward_hashes(500, seed + 100)) {
      ASSERT_EQ(*copy->insert(h), model.insert(h).second);
    }
    expect_same(*copy, model);
  }
}

TEST(ExactTable, ReserveKeepsTheLimitAndChangesNothingWhenRefused) {
  constexpr std::uint64_t kLimit = 1 << 20;
  auto table = ExactTable::create(0);
  ASSERT_TRUE(table);
  std::mt19937_64 random(7);
  std::uint64_t keys = 0;
  while (table->reserve(100, kLimit)) {
    for (int i = 0; i < 100; ++i) {
      ASSERT_TRUE(*table->insert({random(), random()}));
      ++keys;
      ASSERT_LE(table->memory_bytes(), kLimit + 4096);
    }
  }
  EXPECT_EQ(table->size(), keys);
  EXPECT_GT(keys * sizeof(Hash), kLimit * 4 / 5) << "the budget should be used well before it is full";
  EXPECT_EQ(table->reserve(100, kLimit).error().code, Errc::full);
  EXPECT_TRUE(table->reserve(100, kNoLimit));
  EXPECT_EQ(table->reserve(~std::uint64_t{0}, kNoLimit).error().code, Errc::full);
  EXPECT_TRUE(*table->insert({random(), random()}));
}

TEST(ExactTable, GrowsPastHugePagesWithoutASecondCopy) {
  auto table = ExactTable::create(0);
  ASSERT_TRUE(table);
  std::mt19937_64 random(11), again(11);
  constexpr int kKeys = 1'000'000;
  for (int i = 0; i < kKeys; ++i) {
    const std::uint64_t lo = random();
    ASSERT_TRUE(*table->insert({lo, mix(lo)}));
  }
  EXPECT_EQ(table->size(), static_cast<std::uint64_t>(kKeys));
  EXPECT_LT(table->memory_bytes(), 16u * kKeys * 21 / 10);
  for (int i = 0; i < kKeys; ++i) {
    const std::uint64_t lo = again();
    ASSERT_TRUE(table->contains({lo, mix(lo)}));
    ASSERT_FALSE(table->contains({lo, lo}));
  }
}

}  // namespace
}  // namespace bloomery
