// BlockedView gives the normative answers, whatever it is compiled for.
#include "bloomery/view.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <random>

#include "answers.hpp"

namespace bloomery {
namespace {

struct Compiled {
  const char* name;
  decltype(&answers_portable) answers;
  bool runs_here;
};

std::vector<Compiled> all_compiled() {
  std::vector<Compiled> all{{"portable", answers_portable, true}};
#if defined(__x86_64__)
  all.push_back({"avx2", answers_avx2, __builtin_cpu_supports("avx2") != 0});
  all.push_back({"avx512", answers_avx512, __builtin_cpu_supports("avx512f") != 0});
#endif
  return all;
}

std::vector<Hash> random_keys(std::size_t count, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<Hash> keys;
  for (std::size_t i = 0; i < count; ++i)
    keys.push_back(i % 2 == 0 ? Hash{random(), random()} : Hash::from_u64(random()));
  return keys;
}

class EachView : public testing::TestWithParam<Compiled> {};

TEST_P(EachView, GivesTheNormativeAnswers) {
  if (!GetParam().runs_here) GTEST_SKIP() << "this processor lacks " << GetParam().name;
  std::uint64_t seed = 0, maybes = 0, asked = 0;
  for (std::uint8_t k = 1; k <= 8; ++k)
    for (std::uint8_t r = 1; r <= 8; ++r)
      for (std::uint64_t lines : {1U, 3U, 40U, 1000U}) {
        const Shape shape{.kind = Kind::blocked, .probes = k, .lines_per_key = r, .cells = lines};
        std::vector<std::byte> buffer(Blocked::size_bytes(shape) + 3);
        const Bytes bytes = Bytes(buffer).subspan(3);  // at an odd address
        const auto keys = random_keys(400, ++seed);
        for (std::size_t i = 0; i < lines * 30 / k / r && i < 200; ++i) Blocked::insert(shape, bytes, keys[i]);
        const auto answers = std::make_unique<bool[]>(keys.size());
        GetParam().answers(shape, bytes, keys, answers.get());
        for (std::size_t i = 0; i < keys.size(); ++i) {
          ASSERT_EQ(answers[i], Blocked::may_contain(shape, bytes, keys[i])) << +k << " " << +r << " " << lines;
          maybes += answers[i];
          ++asked;
        }
      }
  EXPECT_GT(maybes, asked / 10);  // both answers occur
  EXPECT_LT(maybes, asked * 9 / 10);
}

INSTANTIATE_TEST_SUITE_P(Sets, EachView, testing::ValuesIn(all_compiled()),
                         [](const auto& set) { return std::string(set.param.name); });

TEST(BlockedView, IsOfAFilterWithOneBlockedSegment) {
  auto filter = Filter::create({.expected_keys = 1000, .fpr = 0.01});
  ASSERT_TRUE(filter);
  const auto view = BlockedView::of(*filter);
  ASSERT_TRUE(view);
  const auto keys = random_keys(500, 1);
  for (Hash key : keys) EXPECT_TRUE(filter->insert(key));
  for (Hash key : keys) EXPECT_TRUE(view->may_contain(key));
  for (Hash key : random_keys(1000, 2)) EXPECT_EQ(view->may_contain(key), filter->may_contain(key));
  const auto classic = Filter::create({.kind = Kind::classic, .expected_keys = 1000, .fpr = 0.01});
  ASSERT_TRUE(classic);
  EXPECT_FALSE(BlockedView::of(*classic));
}

}  // namespace
}  // namespace bloomery
