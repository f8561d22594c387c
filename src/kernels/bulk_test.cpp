// A bulk insertion leaves the bytes, and counts the fresh keys, of inserting one by one.
#include "kernels/bulk.hpp"

#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "kernels/kernels.hpp"
#include "kernels/partitions.hpp"
#include "layout/layouts.hpp"

namespace bloomery {
namespace {

// Small enough partitions that a small segment has many.
constexpr kernels::BulkRule kAlways{
    .least_segment_bytes = 0, .least_keys_per_line = 0, .partition_lines_log2 = 4, .most_partitions = 100};

Shape blocked(std::uint64_t lines, std::uint8_t lines_per_key = 1) {
  return {.kind = Kind::blocked, .probes = 6, .lines_per_key = lines_per_key, .cells = lines};
}

std::vector<std::uint64_t> random_words(std::size_t count, std::uint64_t mask = ~std::uint64_t{0}) {
  std::mt19937_64 random(count);
  std::vector<std::uint64_t> words(count);
  for (auto& w : words) w = random() & mask;
  for (std::size_t i = 5; i < count; i += 9) words[i] = words[i / 2];  // repeats, near and far
  return words;
}

void expect_same_as_one_by_one(const Shape& shape, auto keys, std::uint64_t scratch_bytes,
                               const kernels::BulkRule& rule, unsigned threads = 1) {
  std::vector<std::byte> expected(Blocked::size_bytes(shape)), actual = expected;
  std::uint64_t fresh = 0;
  for (const auto& key : keys) {
    Hash h;
    if constexpr (std::is_same_v<std::decay_t<decltype(key)>, Hash>) h = key; else h = Hash::from_u64(key);
    fresh += Blocked::insert(shape, expected, h);
  }
  EXPECT_EQ(kernels::insert_bulk(shape, actual, keys, {scratch_bytes, threads}, rule), fresh);
  EXPECT_TRUE(actual == expected);
  if constexpr (std::is_same_v<decltype(keys), std::span<const Hash>>) {
    std::fill(actual.begin(), actual.end(), std::byte{0});
    kernels::BulkStream stream(shape, actual, keys.size(), {scratch_bytes, threads}, rule);
    std::uint64_t streamed = 0;
    for (std::size_t at = 0; at < keys.size(); at += 700)
      streamed += stream.add(keys.subspan(at, std::min<std::size_t>(700, keys.size() - at)));
    EXPECT_EQ(streamed + stream.flush(), fresh);
    EXPECT_TRUE(actual == expected);
  }
}

TEST(Bulk, EqualsOneByOneForAnyScratch) {
  const auto words = random_words(60'000);
  std::vector<Hash> hashes;
  for (std::uint64_t w : words) hashes.push_back({w, ~w});
  for (std::uint64_t lines : {1U, 2U, 15U, 16U, 17U, 999U, 1600U, 5000U})
    for (std::uint64_t scratch : {0U, 8192U, 100'000U, 900'000U, 1'300'000U, 10'000'000U}) {
      SCOPED_TRACE(testing::Message() << lines << " lines, scratch " << scratch);
      expect_same_as_one_by_one(blocked(lines), std::span<const std::uint64_t>(words), scratch, kAlways);
      expect_same_as_one_by_one(blocked(lines), std::span<const Hash>(hashes), scratch, kAlways);
    }
  EXPECT_TRUE(kernels::partitioning_pays(blocked(999), words.size(), {900'000}, kAlways));  // so it was tried
}

TEST(Bulk, EqualsOneByOneForAnyNumberOfThreads) {
  const auto words = random_words(60'000);
  kernels::BulkRule rule = kAlways;
  rule.most_keys_per_line = 1000;  // few passes: starting threads takes time
  for (unsigned threads : {2U, 3U, 7U})
    for (std::uint64_t lines : {17U, 999U})
      for (std::uint64_t scratch : {8192U, 5'000'000U}) {
        SCOPED_TRACE(testing::Message() << lines << " lines, scratch " << scratch << ", threads " << threads);
        expect_same_as_one_by_one(blocked(lines), std::span<const std::uint64_t>(words), scratch, rule, threads);
      }
  EXPECT_TRUE(kernels::partitioning_pays(blocked(999), words.size(), {5'000'000, 7}, rule));
}

TEST(Bulk, EqualsOneByOneForUnevenWords) {
  // All in one line range, or in a few: the pool goes to whoever needs it.
  for (std::uint64_t mask : {std::uint64_t{0xFFFFFFFF}, ~std::uint64_t{0} >> 7, std::uint64_t{0xF000000000000FFF}})
    for (std::uint64_t scratch : {900'000U, 10'000'000U}) {
      const auto words = random_words(50'000, mask);
      expect_same_as_one_by_one(blocked(999), std::span<const std::uint64_t>(words), scratch, kAlways);
    }
}

TEST(Bulk, EqualsOneByOneForFewKeys) {
  for (std::size_t count : {0U, 1U, 31U, 32U, 33U, 1000U}) {
    const auto words = random_words(count);
    expect_same_as_one_by_one(blocked(999), std::span<const std::uint64_t>(words), 1 << 20, kAlways);
  }
}

TEST(Bulk, InsertsDirectlyWhereSeveralLinesBelongToAKey) {
  const auto words = random_words(10'000);
  EXPECT_FALSE(kernels::partitioning_pays(blocked(500, 2), words.size(), {1 << 24}, kAlways));
  expect_same_as_one_by_one(blocked(500, 2), std::span<const std::uint64_t>(words), 1 << 24, kAlways);
}

TEST(Bulk, PartitionsWhereThatPays) {
  const std::uint64_t lines = std::uint64_t{1} << 22, keys = lines * 51;  // 256 MiB
  EXPECT_TRUE(kernels::partitioning_pays(blocked(lines), keys, {std::uint64_t{256} << 20}));
  EXPECT_FALSE(kernels::partitioning_pays(blocked(lines), keys, {std::uint64_t{64} << 20}));  // 2 keys per line
  EXPECT_FALSE(kernels::partitioning_pays(blocked(lines), lines, {std::uint64_t{1} << 30}));
  EXPECT_FALSE(kernels::partitioning_pays(blocked(1000), 100'000, {std::uint64_t{1} << 30}));
  EXPECT_GE(kernels::default_scratch_bytes(std::uint64_t{1} << 40), kernels::default_scratch_bytes(0));
}

TEST(Partitions, TakesWhatThePoolHolds) {
  kernels::Partitions partitions(64, 4, 8 * kernels::Partitions::kBlockBytes);
  ASSERT_TRUE(partitions.ok());
  ASSERT_EQ(partitions.size(), 4U);
  const auto words = random_words(100'000);
  const std::size_t taken = partitions.take(words.data(), words.size());
  EXPECT_LT(taken, 8 * kernels::Partitions::kBlockWords + 4 * kernels::Partitions::kStageWords);
  EXPECT_GT(taken, 4 * kernels::Partitions::kBlockWords);
  std::vector<std::uint64_t> expected[4], actual[4];
  for (std::size_t i = 0; i < taken; ++i) expected[words[i] >> 62].push_back(words[i]);
  for (std::size_t p = 0; p < 4; ++p) {
    partitions.each_run(p, [&](const std::uint64_t* run, std::uint64_t count) {
      actual[p].insert(actual[p].end(), run, run + count);
    });
    EXPECT_TRUE(actual[p] == expected[p]) << "partition " << p;
  }
}

}  // namespace
}  // namespace bloomery
