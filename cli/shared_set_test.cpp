// What a shared set computes by itself; tests/redis has it with servers.
#include <gtest/gtest.h>

#include "cli/redis/shard.hpp"
#include "cli/redis/slot.hpp"

namespace cli {
namespace {

// Answers of CLUSTER KEYSLOT.
TEST(RedisSlot, AgreesWithTheServer) {
  EXPECT_EQ(redis_slot("123456789"), 0x31c3);
  EXPECT_EQ(redis_slot(""), 0);
  EXPECT_EQ(redis_slot("foo"), 12182);
  EXPECT_EQ(redis_slot("x{foo}y{bar}"), 12182);
  EXPECT_EQ(redis_slot("foo{}{bar}"), 8363);
  EXPECT_EQ(redis_slot("foo{{bar}}zap"), 4015);
}

TEST(Shard, HasTheBitsOfReserve) {
  const ShardShape shape = ShardShape::of(100, 0.01);
  EXPECT_EQ(shape.bits, 960U);
  EXPECT_EQ(shape.probes, 7U);
}

TEST(Shard, KeepsItsRateWhenItIsFull) {
  for (const double fpr : {0.9, 0.25, 0.01, 1e-4, 1e-6}) {
    for (const std::uint64_t expected : {1U, 1000U, 1'000'000U, 100'000'000U}) {
      for (const std::uint64_t shards : {1U, 64U}) {
        const ShardShape shape = ShardShape::planned(expected, shards, fpr);
        const double share = static_cast<double>(expected) / static_cast<double>(shards);
        EXPECT_GT(static_cast<double>(shape.capacity), share);
        EXPECT_LE(shape.rate(share), fpr * 1.002) << expected << " lines in " << shards;
      }
    }
  }
}

TEST(Shard, LossesAddUpHoweverTheyAreTold) {
  const ShardShape shape = ShardShape::of(10'000, 0.01);
  ShardLosses at_once(shape), in_turns(shape);
  const double all = at_once.advance(10'000, 10'000);
  double sum = 0;
  for (std::uint64_t count = 100; count <= 10'000; count += 100) sum += in_turns.advance(count, 100);
  EXPECT_NEAR(sum, all, all * 0.01);
  EXPECT_NEAR(at_once.keys(), 10'000 + all, 1e-6 * all);
  EXPECT_NEAR(at_once.rate(), 0.01, 0.0005);
  EXPECT_EQ(at_once.advance(9'000, 0), 0);  // an answer that was overtaken
}

}  // namespace
}  // namespace cli
