// The counting, static and concurrent parts of the C API.
#include <gtest/gtest.h>

#include <array>
#include <memory>
#include <thread>
#include <vector>

#include "bloomery.h"

namespace {

using Owner = std::unique_ptr<bloomery_filter, decltype(&bloomery_free)>;

Owner created(int32_t kind) {
  bloomery_spec spec = BLOOMERY_SPEC_INIT;
  spec.expected_keys = 1000;
  spec.kind = kind;
  bloomery_filter* filter = nullptr;
  EXPECT_EQ(bloomery_create(&spec, &filter, nullptr), BLOOMERY_OK);
  return {filter, &bloomery_free};
}

std::vector<bloomery_hash> some_hashes(uint64_t count) {
  std::vector<bloomery_hash> hashes;
  for (uint64_t i = 0; i < count; ++i) hashes.push_back(bloomery_hash_from_u64((i + 1) * 0x9E3779B97F4A7C15u));
  return hashes;
}

TEST(CApiCounting, CountsAndErases) {
  const Owner filter = created(BLOOMERY_KIND_COUNTING);
  const bloomery_hash hash = bloomery_hash_from_u64(0x123456789ABCDEF);
  uint64_t count = 0;
  bool erased = false;
  for (int i = 0; i < 2; ++i) ASSERT_EQ(bloomery_insert(filter.get(), "key", 3, nullptr, nullptr), BLOOMERY_OK);
  ASSERT_EQ(bloomery_insert_hash(filter.get(), hash, nullptr, nullptr), BLOOMERY_OK);
  ASSERT_EQ(bloomery_count_at_most(filter.get(), "key", 3, &count, nullptr), BLOOMERY_OK);
  EXPECT_EQ(count, 2u);
  ASSERT_EQ(bloomery_erase(filter.get(), "key", 3, &erased, nullptr), BLOOMERY_OK);
  EXPECT_TRUE(erased && bloomery_may_contain(filter.get(), "key", 3));
  ASSERT_EQ(bloomery_erase(filter.get(), "key", 3, nullptr, nullptr), BLOOMERY_OK);
  ASSERT_EQ(bloomery_erase(filter.get(), "key", 3, &erased, nullptr), BLOOMERY_OK);
  EXPECT_FALSE(erased);
  ASSERT_EQ(bloomery_count_at_most_hash(filter.get(), hash, &count, nullptr), BLOOMERY_OK);
  EXPECT_EQ(count, 1u);
  ASSERT_EQ(bloomery_erase_u64(filter.get(), 0x123456789ABCDEF, &erased, nullptr), BLOOMERY_OK);
  EXPECT_TRUE(erased && !bloomery_may_contain_hash(filter.get(), hash));
  EXPECT_TRUE(bloomery_can(filter.get(), BLOOMERY_OP_ERASE));
}

TEST(CApiCounting, ErasesBatches) {
  const Owner filter = created(BLOOMERY_KIND_COUNTING);
  const std::array<const void*, 2> keys = {"in", "out"};
  const std::array<size_t, 2> lengths = {2, 3};
  std::array<bool, 2> erased = {false, true};
  uint64_t count = 9;
  ASSERT_EQ(bloomery_insert(filter.get(), "in", 2, nullptr, nullptr), BLOOMERY_OK);
  ASSERT_EQ(bloomery_erase_n(filter.get(), keys.data(), lengths.data(), 2, erased.data(), &count, nullptr),
            BLOOMERY_OK);
  EXPECT_TRUE(erased[0] && !erased[1] && count == 1);
  const std::vector<bloomery_hash> hashes = some_hashes(900);  // more than one block
  ASSERT_EQ(bloomery_insert_hash_n(filter.get(), hashes.data(), 900, nullptr, nullptr, nullptr), BLOOMERY_OK);
  ASSERT_EQ(bloomery_erase_hash_n(filter.get(), hashes.data(), 900, nullptr, &count, nullptr), BLOOMERY_OK);
  EXPECT_EQ(count, 900u);
  EXPECT_EQ(bloomery_may_contain_hash_n(filter.get(), hashes.data(), 900, nullptr), 0u);
}

TEST(CApiCounting, BecomesPlain) {
  const Owner filter = created(BLOOMERY_KIND_COUNTING);
  ASSERT_EQ(bloomery_insert(filter.get(), "key", 3, nullptr, nullptr), BLOOMERY_OK);
  bloomery_filter* made = nullptr;
  ASSERT_EQ(bloomery_to_plain(filter.get(), &made, nullptr), BLOOMERY_OK);
  const Owner plain(made, &bloomery_free);
  EXPECT_TRUE(bloomery_may_contain(plain.get(), "key", 3));
  EXPECT_FALSE(bloomery_can(plain.get(), BLOOMERY_OP_ERASE));
}

TEST(CApiCounting, IsRefusedWhereNothingCounts) {
  const Owner filter = created(BLOOMERY_KIND_BLOCKED);
  bloomery_error error;
  uint64_t count = 7;
  bloomery_filter* made = filter.get();
  EXPECT_EQ(bloomery_erase(filter.get(), "key", 3, nullptr, &error), BLOOMERY_NOT_SUPPORTED);
  EXPECT_EQ(bloomery_to_plain(filter.get(), &made, &error), BLOOMERY_NOT_SUPPORTED);
  EXPECT_EQ(made, nullptr);
  EXPECT_EQ(bloomery_count_at_most(filter.get(), "key", 3, &count, &error), BLOOMERY_NO_VALUE);
  EXPECT_EQ(count, 7u);
}

TEST(CApiCounting, NamesTheArgumentThatIsNull) {
  const Owner filter = created(BLOOMERY_KIND_COUNTING);
  bloomery_error error;
  uint64_t count = 0;
  EXPECT_EQ(bloomery_erase(nullptr, "k", 1, nullptr, &error), BLOOMERY_INVALID_ARGUMENT);
  EXPECT_EQ(bloomery_erase(filter.get(), nullptr, 1, nullptr, &error), BLOOMERY_INVALID_ARGUMENT);
  EXPECT_EQ(bloomery_erase_hash_n(filter.get(), nullptr, 1, nullptr, nullptr, &error), BLOOMERY_INVALID_ARGUMENT);
  EXPECT_EQ(bloomery_count_at_most(nullptr, "k", 1, &count, &error), BLOOMERY_INVALID_ARGUMENT);
  EXPECT_EQ(bloomery_count_at_most(filter.get(), "k", 1, nullptr, &error), BLOOMERY_INVALID_ARGUMENT);
  EXPECT_EQ(bloomery_to_plain(nullptr, nullptr, &error), BLOOMERY_INVALID_ARGUMENT);
  EXPECT_EQ(bloomery_insert_concurrent_hash_n(nullptr, nullptr, 0, nullptr, nullptr, &error),
            BLOOMERY_INVALID_ARGUMENT);
}

TEST(CApiStatic, IsBuiltAndAsked) {
  const std::vector<bloomery_hash> hashes = some_hashes(1000);
  for (const int32_t kind : {BLOOMERY_KIND_FUSE, BLOOMERY_KIND_RIBBON}) {
    bloomery_spec spec = BLOOMERY_SPEC_INIT;
    spec.expected_keys = 1000;
    spec.kind = kind;
    bloomery_filter* made = nullptr;
    EXPECT_EQ(bloomery_create(&spec, &made, nullptr), BLOOMERY_NOT_SUPPORTED);
    ASSERT_EQ(bloomery_build(&spec, hashes.data(), hashes.size(), &made, nullptr), BLOOMERY_OK);
    const Owner built(made, &bloomery_free);
    EXPECT_EQ(bloomery_may_contain_hash_n(built.get(), hashes.data(), hashes.size(), nullptr), hashes.size());
    EXPECT_FALSE(bloomery_can(built.get(), BLOOMERY_OP_INSERT));
  }
}

TEST(CApiStatic, PlansTheWidthOfCells) {
  bloomery_plan_request want = BLOOMERY_PLAN_REQUEST_INIT;
  bloomery_plan plan = BLOOMERY_PLAN_INIT;
  want.keys = 1000;
  want.fpr = 0.01;
  want.kind = BLOOMERY_KIND_COUNTING;
  want.cell_bits = 8;
  ASSERT_EQ(bloomery_make_plan(&want, &plan, nullptr), BLOOMERY_OK);
  EXPECT_EQ(plan.shape.cell_bits, 8);
  want.cell_bits = 5;
  EXPECT_EQ(bloomery_make_plan(&want, &plan, nullptr), BLOOMERY_INVALID_ARGUMENT);
}

TEST(CApiConcurrent, InsertsWhatOneThreadWould) {
  const Owner shared = created(BLOOMERY_KIND_BLOCKED), alone = created(BLOOMERY_KIND_BLOCKED);
  const std::vector<bloomery_hash> hashes = some_hashes(1000);
  ASSERT_EQ(bloomery_insert_hash_n(alone.get(), hashes.data(), 1000, nullptr, nullptr, nullptr), BLOOMERY_OK);
  const auto half = [&](size_t from) {
    EXPECT_EQ(bloomery_insert_concurrent_hash_n(shared.get(), hashes.data() + from, 500, nullptr, nullptr, nullptr),
              BLOOMERY_OK);
  };
  std::thread other(half, 500);
  half(0);
  other.join();
  EXPECT_TRUE(bloomery_equal(shared.get(), alone.get()));
}

}  // namespace
