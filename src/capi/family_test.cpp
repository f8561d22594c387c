// The C API of filters that grow or forget, of shrinking and of comparing.
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "bloomery.h"

namespace {

using Owner = std::unique_ptr<bloomery_filter, decltype(&bloomery_free)>;

std::vector<bloomery_hash> some_hashes(uint64_t first, uint64_t count) {
  std::vector<bloomery_hash> hashes;
  for (uint64_t i = first; i < first + count; ++i) hashes.push_back(bloomery_hash_from_u64((i + 1) * 0x9E3779B97F4A7C15u));
  return hashes;
}

void insert(const Owner& filter, uint64_t first, uint64_t count) {
  const auto hashes = some_hashes(first, count);
  ASSERT_EQ(bloomery_insert_hash_n(filter.get(), hashes.data(), count, nullptr, nullptr, nullptr), BLOOMERY_OK);
}

uint64_t maybes(const Owner& filter, uint64_t first, uint64_t count) {
  const auto hashes = some_hashes(first, count);
  const auto out = std::make_unique<bool[]>(count);
  return bloomery_may_contain_hash_n(filter.get(), hashes.data(), count, out.get());
}

Owner planned(int32_t kind, uint64_t keys, double fpr) {
  bloomery_plan_request want = BLOOMERY_PLAN_REQUEST_INIT;
  bloomery_plan plan = BLOOMERY_PLAN_INIT;
  want.kind = kind;
  want.keys = keys;
  want.fpr = fpr;
  bloomery_filter* filter = nullptr;
  EXPECT_EQ(bloomery_make_plan(&want, &plan, nullptr), BLOOMERY_OK);
  EXPECT_EQ(bloomery_create_planned(&plan, nullptr, &filter, nullptr), BLOOMERY_OK);
  return {filter, &bloomery_free};
}

TEST(CApiFamily, Grows) {
  bloomery_growth growth = BLOOMERY_GROWTH_INIT;
  growth.fpr = 0.001;
  growth.remember_keys = 1000;
  bloomery_filter* made = nullptr;
  ASSERT_EQ(bloomery_create_growing(&growth, nullptr, &made, nullptr), BLOOMERY_OK);
  const Owner filter{made, &bloomery_free};
  insert(filter, 0, 20'000);
  EXPECT_EQ(maybes(filter, 0, 20'000), 20'000u);
  EXPECT_LE(maybes(filter, 100'000, 100'000), 150u);
  bloomery_info info = BLOOMERY_INFO_INIT;
  ASSERT_EQ(bloomery_get_info(filter.get(), &info, nullptr), BLOOMERY_OK);
  EXPECT_GT(info.segments, 1u);
  EXPECT_EQ(info.planned_fpr, 0.001);
  EXPECT_EQ(bloomery_intersect(filter.get(), filter.get(), nullptr), BLOOMERY_NOT_SUPPORTED);
  growth.most_memory = 1;
  bloomery_error error = {};
  EXPECT_EQ(bloomery_create_growing(&growth, nullptr, &made, &error), BLOOMERY_INVALID_ARGUMENT);
  EXPECT_EQ(std::string(error.message), "most_memory must be 2..64 (got 1)");
  EXPECT_EQ(made, nullptr);
  ASSERT_EQ(bloomery_create_growing(nullptr, nullptr, &made, nullptr), BLOOMERY_OK);
  bloomery_free(made);
}

TEST(CApiFamily, Forgets) {
  const Owner filter = planned(BLOOMERY_KIND_WINDOWED, 1000, 1e-6);
  insert(filter, 0, 5000);
  EXPECT_EQ(maybes(filter, 4000, 1000), 1000u);
  EXPECT_LE(maybes(filter, 0, 3750), 1u);
  for (int i = 0; i < 5; ++i) ASSERT_EQ(bloomery_begin_generation(filter.get(), nullptr), BLOOMERY_OK);
  EXPECT_EQ(maybes(filter, 0, 5000), 0u);
  const Owner other = planned(BLOOMERY_KIND_BLOCKED, 1000, 0.01);
  EXPECT_EQ(bloomery_begin_generation(other.get(), nullptr), BLOOMERY_NOT_SUPPORTED);
}

TEST(CApiFamily, ShrinksAndCompares) {
  const Owner a = planned(BLOOMERY_KIND_CLASSIC, 4096, 0x1p-10), b = planned(BLOOMERY_KIND_CLASSIC, 4096, 0x1p-10);
  insert(a, 0, 4000);
  insert(b, 2000, 4000);
  bloomery_comparison compared = BLOOMERY_COMPARISON_INIT;
  ASSERT_EQ(bloomery_compare(a.get(), b.get(), 0.999, &compared, nullptr), BLOOMERY_OK);
  EXPECT_TRUE(compared.keys_in_either.low <= 6000 && 6000 <= compared.keys_in_either.high);
  EXPECT_TRUE(compared.keys_in_both.low <= 2000 && 2000 <= compared.keys_in_both.high);
  EXPECT_NEAR(compared.jaccard.value, 1 / 3.0, 0.03);
  EXPECT_EQ(bloomery_compare(a.get(), b.get(), 1, &compared, nullptr), BLOOMERY_INVALID_ARGUMENT);
  bloomery_segment segment = BLOOMERY_SEGMENT_INIT;
  ASSERT_EQ(bloomery_get_segment(a.get(), 0, &segment, nullptr), BLOOMERY_OK);
  uint64_t by = 2;
  while (segment.shape.cells % by != 0) ++by;
  bloomery_filter* made = nullptr;
  ASSERT_EQ(bloomery_shrink(a.get(), by, &made, nullptr), BLOOMERY_OK);
  const Owner small{made, &bloomery_free};
  EXPECT_EQ(maybes(small, 0, 4000), 4000u);
  EXPECT_EQ(bloomery_shrink(a.get(), 1, &made, nullptr), BLOOMERY_INVALID_ARGUMENT);
}

TEST(CApiFamily, NamesWhatIsNull) {
  const Owner filter = planned(BLOOMERY_KIND_BLOCKED, 10, 0.01);
  bloomery_filter* made = nullptr;
  bloomery_comparison compared = BLOOMERY_COMPARISON_INIT;
  bloomery_error error = {};
  const auto names = [&](bloomery_status status, const std::string& argument) {
    EXPECT_EQ(status, BLOOMERY_INVALID_ARGUMENT);
    EXPECT_EQ(std::string(error.message).rfind(argument + ": is NULL", 0), 0u) << error.message;
  };
  names(bloomery_create_growing(nullptr, nullptr, nullptr, &error), "out");
  names(bloomery_begin_generation(nullptr, &error), "filter");
  names(bloomery_shrink(nullptr, 2, &made, &error), "filter");
  names(bloomery_shrink(filter.get(), 2, nullptr, &error), "out");
  names(bloomery_compare(nullptr, filter.get(), 0.9, &compared, &error), "a");
  names(bloomery_compare(filter.get(), nullptr, 0.9, &compared, &error), "b");
  names(bloomery_compare(filter.get(), filter.get(), 0.9, nullptr, &error), "out");
}

}  // namespace
