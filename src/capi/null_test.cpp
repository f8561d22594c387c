// NULL everywhere: free functions do nothing, queries say maybe, numbers are 0, statuses name the argument.
#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

#include "bloomery.h"

namespace {

struct Refusal {
  const char* argument;
  std::function<bloomery_status(bloomery_error*)> call;
};

class Null : public testing::Test {
 protected:
  void SetUp() override {
    spec.expected_keys = 100;
    ASSERT_EQ(bloomery_create(&spec, &filter, nullptr), BLOOMERY_OK);
  }
  void TearDown() override { bloomery_free(filter); }

  void expect_refused(const std::vector<Refusal>& refusals) {
    for (const auto& [argument, call] : refusals) {
      bloomery_error error = {};
      EXPECT_EQ(call(&error), BLOOMERY_INVALID_ARGUMENT) << argument;
      EXPECT_EQ(error.code, BLOOMERY_INVALID_ARGUMENT) << argument;
      EXPECT_EQ(std::string(error.message).rfind(std::string(argument) + ": is NULL", 0), 0u) << error.message;
      EXPECT_EQ(call(nullptr), BLOOMERY_INVALID_ARGUMENT) << argument;
    }
  }

  bloomery_spec spec = BLOOMERY_SPEC_INIT;
  bloomery_plan plan = BLOOMERY_PLAN_INIT;
  bloomery_plan_request want = BLOOMERY_PLAN_REQUEST_INIT;
  bloomery_hasher hasher = BLOOMERY_HASHER_INIT;
  bloomery_info info = BLOOMERY_INFO_INIT;
  bloomery_segment segment = BLOOMERY_SEGMENT_INIT;
  bloomery_file_info file_info = BLOOMERY_FILE_INFO_INIT;
  bloomery_filter* filter = nullptr;
  bloomery_filter* out = nullptr;
  bloomery_bytes bytes = {};
  bloomery_lock* lock = nullptr;
  bloomery_hash hash = {1, 2};
  const void* keys[1] = {"k"};
  std::size_t lengths[1] = {1};
  std::uint64_t words[1] = {3};
  double number = 0;
};

TEST_F(Null, FreeingIsFine) {
  bloomery_free(nullptr);
  bloomery_free_bytes(nullptr);
  bloomery_lock_release(nullptr);
  bloomery_set_expected_wrong_repeats(nullptr, 1);
}

TEST_F(Null, QueriesSayMaybe) {
  bool out_of_n[1] = {false};
  EXPECT_TRUE(bloomery_may_contain(nullptr, "k", 1));
  EXPECT_TRUE(bloomery_may_contain(filter, nullptr, 1));
  EXPECT_FALSE(bloomery_may_contain(filter, nullptr, 0));  // the empty key, not in
  EXPECT_TRUE(bloomery_may_contain_hash(nullptr, hash));
  EXPECT_TRUE(bloomery_may_contain_u64(nullptr, 1));
  EXPECT_EQ(bloomery_may_contain_n(nullptr, keys, lengths, 1, out_of_n), 1u);
  EXPECT_TRUE(out_of_n[0]);
  EXPECT_EQ(bloomery_may_contain_n(filter, nullptr, lengths, 1, nullptr), 1u);
  EXPECT_EQ(bloomery_may_contain_n(filter, keys, nullptr, 1, nullptr), 1u);
  EXPECT_EQ(bloomery_may_contain_n(filter, keys, lengths, 1, nullptr), 0u);
  EXPECT_EQ(bloomery_may_contain_n(filter, nullptr, nullptr, 0, nullptr), 0u);
  EXPECT_EQ(bloomery_may_contain_hash_n(filter, nullptr, 1, nullptr), 1u);
  EXPECT_EQ(bloomery_may_contain_u64_n(filter, nullptr, 1, out_of_n), 1u);
  EXPECT_EQ(bloomery_may_contain_u64_n(nullptr, words, 1, nullptr), 1u);
}

TEST_F(Null, NumbersAreZero) {
  EXPECT_EQ(bloomery_fill_ratio(nullptr), 0);
  EXPECT_EQ(bloomery_current_fpr(nullptr), 0);
  EXPECT_FALSE(bloomery_can(nullptr, BLOOMERY_OP_INSERT));
  EXPECT_TRUE(bloomery_equal(nullptr, nullptr));
  EXPECT_FALSE(bloomery_equal(filter, nullptr));
  EXPECT_FALSE(bloomery_equal(nullptr, filter));
  EXPECT_EQ(bloomery_kind_from_name(nullptr), 0);
  EXPECT_EQ(bloomery_hash_id_from_name(nullptr), 0);
}

TEST_F(Null, MakingNamesTheArgument) {
  expect_refused({
      {"spec", [&](auto* e) { return bloomery_create(nullptr, &out, e); }},
      {"out", [&](auto* e) { return bloomery_create(&spec, nullptr, e); }},
      {"plan", [&](auto* e) { return bloomery_create_planned(nullptr, nullptr, &out, e); }},
      {"spec", [&](auto* e) { return bloomery_build(nullptr, &hash, 1, &out, e); }},
      {"keys", [&](auto* e) { return bloomery_build(&spec, nullptr, 1, &out, e); }},
      {"keys", [&](auto* e) { return bloomery_build_u64(&spec, nullptr, 1, &out, e); }},
      {"filter", [&](auto* e) { return bloomery_clone(nullptr, &out, e); }},
      {"want", [&](auto* e) { return bloomery_make_plan(nullptr, &plan, e); }},
      {"hasher", [&](auto* e) { return bloomery_hash_key(nullptr, "k", 1, &hash, e); }},
      {"key", [&](auto* e) { return bloomery_hash_key(&hasher, nullptr, 1, &hash, e); }},
      {"out", [&](auto* e) { return bloomery_hash_key(&hasher, "k", 1, nullptr, e); }},
  });
  want.keys = 10;
  want.fpr = 0.1;
  expect_refused({{"plan", [&](auto* e) { return bloomery_make_plan(&want, nullptr, e); }}});
  EXPECT_EQ(bloomery_build(&spec, nullptr, 0, &out, nullptr), BLOOMERY_OK);
  bloomery_free(out);
}

TEST_F(Null, ChangingNamesTheArgument) {
  expect_refused({
      {"filter", [&](auto* e) { return bloomery_insert(nullptr, "k", 1, nullptr, e); }},
      {"key", [&](auto* e) { return bloomery_insert(filter, nullptr, 1, nullptr, e); }},
      {"filter", [&](auto* e) { return bloomery_insert_hash(nullptr, hash, nullptr, e); }},
      {"filter", [&](auto* e) { return bloomery_insert_u64(nullptr, 1, nullptr, e); }},
      {"filter", [&](auto* e) { return bloomery_insert_n(nullptr, keys, lengths, 1, nullptr, nullptr, e); }},
      {"keys", [&](auto* e) { return bloomery_insert_n(filter, nullptr, lengths, 1, nullptr, nullptr, e); }},
      {"lengths", [&](auto* e) { return bloomery_insert_n(filter, keys, nullptr, 1, nullptr, nullptr, e); }},
      {"keys", [&](auto* e) { return bloomery_insert_hash_n(filter, nullptr, 1, nullptr, nullptr, e); }},
      {"filter", [&](auto* e) { return bloomery_insert_u64_n(nullptr, words, 1, nullptr, nullptr, e); }},
      {"keys", [&](auto* e) { return bloomery_insert_u64_n(filter, nullptr, 1, nullptr, nullptr, e); }},
      {"filter", [&](auto* e) { return bloomery_merge(nullptr, filter, e); }},
      {"other", [&](auto* e) { return bloomery_merge(filter, nullptr, e); }},
      {"filter", [&](auto* e) { return bloomery_intersect(nullptr, filter, e); }},
      {"other", [&](auto* e) { return bloomery_intersect(filter, nullptr, e); }},
      {"filter", [&](auto* e) { return bloomery_clear(nullptr, e); }},
      {"filter", [&](auto* e) { return bloomery_append_segment(nullptr, &plan, e); }},
      {"plan", [&](auto* e) { return bloomery_append_segment(filter, nullptr, e); }},
      {"filter", [&](auto* e) { return bloomery_reserve(nullptr, 1, 1, e); }},
  });
  EXPECT_EQ(bloomery_insert_n(filter, nullptr, nullptr, 0, nullptr, nullptr, nullptr), BLOOMERY_OK);
}

TEST_F(Null, AskingNamesTheArgument) {
  expect_refused({
      {"filter", [&](auto* e) { return bloomery_get_info(nullptr, &info, e); }},
      {"info", [&](auto* e) { return bloomery_get_info(filter, nullptr, e); }},
      {"filter", [&](auto* e) { return bloomery_get_segment(nullptr, 0, &segment, e); }},
      {"segment", [&](auto* e) { return bloomery_get_segment(filter, 0, nullptr, e); }},
      {"filter", [&](auto* e) { return bloomery_get_hasher(nullptr, &hasher, e); }},
      {"out", [&](auto* e) { return bloomery_get_hasher(filter, nullptr, e); }},
      {"filter", [&](auto* e) { return bloomery_estimated_keys(nullptr, &number, e); }},
      {"out", [&](auto* e) { return bloomery_estimated_keys(filter, nullptr, e); }},
      {"filter", [&](auto* e) { return bloomery_visit_fingerprints(nullptr, nullptr, nullptr, e); }},
      {"visit", [&](auto* e) { return bloomery_visit_fingerprints(filter, nullptr, nullptr, e); }},
  });
}

TEST_F(Null, FilesNameTheArgument) {
  expect_refused({
      {"path", [&](auto* e) { return bloomery_open(nullptr, nullptr, &out, e); }},
      {"out", [&](auto* e) { return bloomery_open("x", nullptr, nullptr, e); }},
      {"bytes", [&](auto* e) { return bloomery_decode(nullptr, 1, nullptr, &out, e); }},
      {"filter", [&](auto* e) { return bloomery_save(nullptr, "x", e); }},
      {"path", [&](auto* e) { return bloomery_save(filter, nullptr, e); }},
      {"filter", [&](auto* e) { return bloomery_write(nullptr, 1, e); }},
      {"filter", [&](auto* e) { return bloomery_encode(nullptr, &bytes, e); }},
      {"out", [&](auto* e) { return bloomery_encode(filter, nullptr, e); }},
      {"path", [&](auto* e) { return bloomery_verify(nullptr, e); }},
      {"bytes", [&](auto* e) { return bloomery_verify_bytes(nullptr, 1, e); }},
      {"path", [&](auto* e) { return bloomery_inspect(nullptr, &file_info, e); }},
      {"path", [&](auto* e) { return bloomery_lock_acquire(nullptr, &lock, e); }},
      {"out", [&](auto* e) { return bloomery_lock_acquire("x", nullptr, e); }},
  });
  EXPECT_EQ(bloomery_decode(nullptr, 0, nullptr, &out, nullptr), BLOOMERY_NOT_A_FILTER);
}

}  // namespace
