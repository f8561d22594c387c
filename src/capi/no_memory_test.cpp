// Memory that runs out at every single allocation: a status each time, and no query allocates at all.
#include <gtest/gtest.h>

#include <cstdlib>
#include <functional>
#include <new>
#include <string>

#include "bloomery.h"

namespace {

thread_local long allocations = 0;
thread_local long fails_at = -1;  // the allocation that finds no memory; -1: none does

void* allocate(std::size_t size) noexcept {
  return allocations++ == fails_at ? nullptr : std::malloc(size != 0 ? size : 1);
}

void* allocate_or_throw(std::size_t size) {
  if (void* p = allocate(size)) return p;
  throw std::bad_alloc();
}

}  // namespace

// g++ 12 takes the pair below for a mismatch where it inlines one of them.
#pragma GCC diagnostic ignored "-Wmismatched-new-delete"
void* operator new(std::size_t size) { return allocate_or_throw(size); }
void* operator new[](std::size_t size) { return allocate_or_throw(size); }
void* operator new(std::size_t size, const std::nothrow_t&) noexcept { return allocate(size); }
void* operator new[](std::size_t size, const std::nothrow_t&) noexcept { return allocate(size); }
void* operator new(std::size_t size, std::align_val_t align, const std::nothrow_t&) noexcept {
  const auto unit = static_cast<std::size_t>(align);
  return allocations++ == fails_at ? nullptr : std::aligned_alloc(unit, (size + unit - 1) / unit * unit);
}
void operator delete(void* p, std::align_val_t) noexcept { std::free(p); }
void operator delete(void* p, std::align_val_t, const std::nothrow_t&) noexcept { std::free(p); }
void operator delete(void* p) noexcept { std::free(p); }
void operator delete[](void* p) noexcept { std::free(p); }
void operator delete(void* p, std::size_t) noexcept { std::free(p); }
void operator delete[](void* p, std::size_t) noexcept { std::free(p); }
void operator delete(void* p, const std::nothrow_t&) noexcept { std::free(p); }
void operator delete[](void* p, const std::nothrow_t&) noexcept { std::free(p); }

namespace {

// Calls work with the first, second, .. allocation failing, until it succeeds; returns how often it failed.
int fail_each_allocation(const std::function<bloomery_status(bloomery_error*)>& work) {
  for (int failed = 0; failed < 1000; ++failed) {
    bloomery_error error = {};
    allocations = 0;
    fails_at = failed;
    const bloomery_status status = work(&error);
    fails_at = -1;
    if (status == BLOOMERY_OK) return failed;
    EXPECT_EQ(status, BLOOMERY_NO_MEMORY) << error.message;
    EXPECT_STRNE(error.message, "");
  }
  ADD_FAILURE() << "never succeeded";
  return -1;
}

class NoMemory : public testing::TestWithParam<int> {
 protected:
  void SetUp() override {
    spec.kind = GetParam();
    spec.expected_keys = 100;
    ASSERT_EQ(bloomery_create(&spec, &filter, nullptr), BLOOMERY_OK);
    ASSERT_EQ(bloomery_insert(filter, "key", 3, nullptr, nullptr), BLOOMERY_OK);
  }
  void TearDown() override { bloomery_free(filter); }

  bloomery_spec spec = BLOOMERY_SPEC_INIT;
  bloomery_filter* filter = nullptr;
};

TEST_P(NoMemory, IsAStatusWhereverItHappens) {
  const auto freed = [](bloomery_status status, bloomery_filter*& made) {
    EXPECT_EQ(status == BLOOMERY_OK, made != nullptr);
    bloomery_free(made);
    return status;
  };
  const std::string path = testing::TempDir() + "no_memory_" + std::to_string(GetParam()) + ".blm";
  bloomery_filter* out = nullptr;
  bloomery_bytes bytes = {};
  bloomery_hash hash = {1, 2};
  EXPECT_GE(fail_each_allocation([&](auto* e) { return freed(bloomery_create(&spec, &out, e), out); }), 2);
  EXPECT_GE(fail_each_allocation([&](auto* e) { return freed(bloomery_build(&spec, &hash, 1, &out, e), out); }), 3);
  EXPECT_GE(fail_each_allocation([&](auto* e) { return freed(bloomery_clone(filter, &out, e), out); }), 2);
  EXPECT_GE(fail_each_allocation([&](auto* e) { return bloomery_save(filter, path.c_str(), e); }), 1);
  EXPECT_GE(fail_each_allocation([&](auto* e) { return freed(bloomery_open(path.c_str(), nullptr, &out, e), out); }), 2);
  EXPECT_GE(fail_each_allocation([&](auto* e) { return bloomery_verify(path.c_str(), e); }), 1);
  EXPECT_GE(fail_each_allocation([&](auto* e) {
              const bloomery_status status = bloomery_encode(filter, &bytes, e);
              bloomery_free_bytes(&bytes);
              return status;
            }),
            1);
  ASSERT_EQ(bloomery_encode(filter, &bytes, nullptr), BLOOMERY_OK);
  EXPECT_GE(fail_each_allocation(
                [&](auto* e) { return freed(bloomery_decode(bytes.data, bytes.size, nullptr, &out, e), out); }),
            1);
  fail_each_allocation([&](auto* e) { return bloomery_verify_bytes(bytes.data, bytes.size, e); });
  fail_each_allocation([&](auto* e) { return bloomery_merge(filter, filter, e); });
  fail_each_allocation([&](auto* e) { return bloomery_clear(filter, e); });
  bloomery_free_bytes(&bytes);
  std::remove(path.c_str());
}

TEST_P(NoMemory, ErrorsAreToldWithoutMemory) {
  bloomery_error error = {};
  bloomery_filter* out = nullptr;
  fails_at = allocations;
  EXPECT_EQ(bloomery_open("/nowhere/at/all", nullptr, &out, &error), BLOOMERY_NO_MEMORY);
  fails_at = allocations;
  EXPECT_EQ(bloomery_insert(nullptr, "key", 3, nullptr, &error), BLOOMERY_NO_MEMORY);
  fails_at = -1;
}

TEST_P(NoMemory, QueriesNeedNone) {
  const void* keys[] = {"key", "other"};
  const std::size_t lengths[] = {3, 5};
  const std::uint64_t words[600] = {1, 2, 3};
  const bloomery_hash hashes[600] = {{1, 2}};
  bool out[600];
  bloomery_info info = BLOOMERY_INFO_INIT;
  double number = 0;
  bloomery_may_contain_u64_n(filter, words, 600, out);  // the first use chooses the kernel
  allocations = 0;
  EXPECT_TRUE(bloomery_may_contain(filter, "key", 3));
  EXPECT_FALSE(bloomery_may_contain_u64(filter, 1));
  EXPECT_FALSE(bloomery_may_contain_hash(filter, hashes[0]));
  EXPECT_EQ(bloomery_may_contain_n(filter, keys, lengths, 2, out), 1u);
  bloomery_may_contain_u64_n(filter, words, 600, out);
  bloomery_may_contain_hash_n(filter, hashes, 600, nullptr);
  bloomery_fill_ratio(filter);
  bloomery_current_fpr(filter);
  EXPECT_EQ(bloomery_estimated_keys(filter, &number, nullptr), BLOOMERY_OK);
  EXPECT_EQ(bloomery_get_info(filter, &info, nullptr), BLOOMERY_OK);
  EXPECT_TRUE(bloomery_equal(filter, filter));
  EXPECT_EQ(allocations, 0);
}

std::string encoded(const bloomery_filter* filter) {
  bloomery_bytes bytes = {};
  EXPECT_EQ(bloomery_encode(filter, &bytes, nullptr), BLOOMERY_OK);
  std::string text(reinterpret_cast<const char*>(bytes.data), bytes.size);
  bloomery_free_bytes(&bytes);
  return text;
}

// Where it becomes a Bloom filter, gets another way, and begins a group, growing takes memory.
TEST(NoMemoryToGrow, ChangesNothing) {
  bloomery_growth growth = BLOOMERY_GROWTH_INIT;
  growth.remember_keys = 10;
  bloomery_hasher hasher = BLOOMERY_HASHER_INIT;
  bloomery_filter* filter = nullptr;
  ASSERT_EQ(bloomery_create_growing(&growth, &hasher, &filter, nullptr), BLOOMERY_OK);
  const auto word = [](std::uint64_t i) { return (i + 1) * 0x9E3779B97F4A7C15; };
  bloomery_info info = BLOOMERY_INFO_INIT;
  int failures = 0;
  for (std::uint64_t key = 0; info.segments < 9; ++key) {
    ASSERT_LT(key, 100'000u);
    const std::string before = encoded(filter);
    const int failed = fail_each_allocation([&](auto* e) {
      const bloomery_status status = bloomery_insert_u64(filter, word(key), nullptr, e);
      fails_at = -1;
      if (status != BLOOMERY_OK) {
        EXPECT_EQ(encoded(filter), before) << key;
      }
      return status;
    });
    if (failed == 0) continue;
    failures += failed;
    ASSERT_EQ(bloomery_get_info(filter, &info, nullptr), BLOOMERY_OK);
    for (std::uint64_t i = 0; i <= key; ++i) ASSERT_TRUE(bloomery_may_contain_u64(filter, word(i))) << i << " of " << key;
  }
  EXPECT_GT(failures, 18);
  bloomery_free(filter);
}

INSTANTIATE_TEST_SUITE_P(Kinds, NoMemory,
                         testing::Values(BLOOMERY_KIND_CLASSIC, BLOOMERY_KIND_BLOCKED, BLOOMERY_KIND_EXACT),
                         [](const auto& kind) { return std::string(bloomery_kind_name(kind.param)); });

}  // namespace
