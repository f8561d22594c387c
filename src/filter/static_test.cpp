// Static filters, as a user meets them.
#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "bloomery/filter.hpp"
#include "hash/nth_hash.hpp"

namespace bloomery {
namespace {

class EveryStatic : public testing::TestWithParam<Kind> {
 protected:
  static Filter build(std::uint64_t keys, double fpr = 0.004) {
    auto built = Filter::build({.kind = GetParam(), .expected_keys = keys == 0 ? 1 : keys, .fpr = fpr}, nth_hashes(0, keys));
    EXPECT_TRUE(built) << (built ? "" : built.error().message);
    return std::move(*built);
  }
};

TEST_P(EveryStatic, IsBuiltOnceAndNeverChanges) {
  Filter f = build(10'000);
  for (const Hash key : nth_hashes(0, 10'000)) ASSERT_TRUE(f.may_contain(key));
  EXPECT_EQ(f.kind(), GetParam());
  EXPECT_EQ(f.counts().inserted, 10'000u);
  EXPECT_EQ(f.estimated_keys(), 10'000);
  EXPECT_LE(f.current_fpr(), 0.004);
  EXPECT_EQ(f.memory_bytes(), f.size_bytes());
  for (const auto op : {Filter::Op::insert, Filter::Op::insert_string, Filter::Op::merge, Filter::Op::intersect,
                        Filter::Op::erase})
    EXPECT_FALSE(f.can(op));
  const auto refused = f.insert(nth_hash(77));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, Errc::not_supported);
  EXPECT_NE(refused.error().message.find("is static: build it anew"), std::string::npos);
  auto copy = f.clone();
  ASSERT_TRUE(copy);
  EXPECT_TRUE(*copy == f);
  EXPECT_EQ(f.merge(*copy).error().code, Errc::not_supported);
  EXPECT_EQ(f.intersect(*copy).error().code, Errc::not_supported);
  EXPECT_EQ(f.erase(nth_hash(1)).error().code, Errc::not_supported);
  EXPECT_EQ(f.clear().error().code, Errc::not_supported);
  EXPECT_EQ(f.append_segment(*plan({.kind = GetParam(), .keys = 10, .fpr = 0.1})).error().code, Errc::not_supported);
  EXPECT_EQ(Filter::create({.kind = GetParam(), .expected_keys = 10}).error().code, Errc::not_supported);
  EXPECT_TRUE(*copy == f);
}

TEST_P(EveryStatic, WithoutKeysSaysNo) {
  const Filter f = build(0);
  EXPECT_TRUE(*f.clone() == f);
  EXPECT_EQ(f.size_bytes(), 0u);
  EXPECT_EQ(f.estimated_keys(), 0);
  EXPECT_EQ(f.current_fpr(), 0);
  const auto asked = nth_hashes(0, 100);
  bool answers[100];
  EXPECT_EQ(f.may_contain(std::span<const Hash>(asked), answers), 0u);
  for (const Hash key : asked) EXPECT_FALSE(f.may_contain(key));
}

// Small ones, and ones past the caches, where batches fetch ahead.
TEST_P(EveryStatic, BatchesAnswerAsSingleQuestionsDo) {
  for (const std::uint64_t n : {1u, 50u, 3000u, 2'500'000u})
    for (const double fpr : {0.3, 1e-4, 1e-9}) {
      const Filter f = build(n, fpr);
      const auto asked = nth_hashes(n / 2, 5001);
      const auto answers = std::make_unique<bool[]>(asked.size());
      const std::uint64_t maybes = f.may_contain(std::span<const Hash>(asked), {answers.get(), asked.size()});
      std::uint64_t expected = 0;
      for (std::size_t i = 0; i < asked.size(); ++i) {
        const bool single = f.may_contain(asked[i]);
        ASSERT_EQ(answers[i], single) << i;
        ASSERT_TRUE(single || n / 2 + i >= n);
        expected += single;
      }
      EXPECT_EQ(maybes, expected);
    }
}

TEST_P(EveryStatic, PartsPassTheGate) {
  const Filter f = build(5000);
  const Segment segment = f.segments()[0];
  const auto opened = Filter::from_parts({.hasher = f.hasher(), .counts = f.counts(), .segments = {segment}, .owner = nullptr});
  ASSERT_TRUE(opened) << opened.error().message;
  EXPECT_TRUE(*opened == f);
  for (const Hash key : nth_hashes(4000, 3000)) ASSERT_EQ(opened->may_contain(key), f.may_contain(key));
  EXPECT_FALSE(Filter::from_parts({.hasher = f.hasher(), .segments = {segment, segment}, .owner = nullptr}));
  Segment wrong = segment;
  wrong.shape.cells += 64;
  EXPECT_FALSE(Filter::from_parts({.hasher = f.hasher(), .segments = {wrong}, .owner = nullptr}));
}

INSTANTIATE_TEST_SUITE_P(Kinds, EveryStatic, testing::Values(Kind::fuse, Kind::ribbon),
                         [](const auto& tested) { return std::string(name(tested.param)); });

}  // namespace
}  // namespace bloomery
