// The peers forget nothing, and err as often as their publications say.
#include "peers/peers.hpp"

#include <gtest/gtest.h>

#include <array>
#include <bloomery/hash.hpp>
#include <cmath>
#include <string>

#include "keys.hpp"
#include "peers/article.hpp"
#include "timing.hpp"

namespace bench::peers {
namespace {

constexpr Size kSize = {200'000, 10};
constexpr std::uint64_t kProbes = 2'000'000;

// Inserts the members, looks for all of them, and measures the rate over keys that were never in.
template <class Key>
double measured_fpr(Contestant<Key> c) {
  const KeyArray<Key> members(kSize.keys, [](std::uint64_t i) { return i; });
  const KeyArray<Key> strangers(kProbes, stranger);
  std::array<bool, kBatch> out;
  std::uint64_t found = 0, wrong = 0, wrong_singles = 0;
  if (c.insert)
    in_batches(members.keys(), c.insert);
  else
    c.builds.at("build")(members.keys());
  in_batches(members.keys(), [&](auto keys) { found += c.lookup(keys, out.data()); });
  EXPECT_EQ(found, kSize.keys) << c.name << " has false negatives";
  in_batches(strangers.keys(), [&](auto keys) {
    const std::uint64_t maybes = c.lookup(keys, out.data());
    EXPECT_EQ(maybes, static_cast<std::uint64_t>(std::count(out.begin(), out.begin() + keys.size(), true)));
    wrong += maybes;
    if (c.lookup_singles) wrong_singles += c.lookup_singles(keys);
  });
  if (c.lookup_singles) {
    EXPECT_EQ(wrong, wrong_singles) << c.name;
  }
  return static_cast<double>(wrong) / static_cast<double>(kProbes);
}

template <class Key>
class Peers : public testing::Test {};
using KeyTypes = testing::Types<std::uint64_t, std::string_view>;
TYPED_TEST_SUITE(Peers, KeyTypes);

#if defined(__x86_64__)
TYPED_TEST(Peers, SplitBlock) {
  const auto c = block_peer<TypeParam>(kSplitBlock, kSize);
  if (!c) GTEST_SKIP() << "no AVX2 here";
  EXPECT_NEAR(measured_fpr(*c), one_in_each_word_fpr(10, 8, 32), 0.0006);
}

TYPED_TEST(Peers, Multiblock) {
  const auto c = block_peer<TypeParam>(kMultiblock, kSize);
  if (!c) GTEST_SKIP() << "no AVX2 here";
  EXPECT_NEAR(measured_fpr(*c), one_in_each_word_fpr(10, 8, 64), 0.0005);
}

TYPED_TEST(Peers, FreeProbes) {
  const auto c = block_peer<TypeParam>(kFreeProbes, kSize);
  if (!c) GTEST_SKIP() << "no AVX2 here";
  EXPECT_NEAR(measured_fpr(*c), free_probes_fpr(10, free_probes_for(10)), 0.0007);
}

TEST(PeersFreeProbes, MoreThanOneVectorOfProbes) {
  const Size dense = {200'000, 20};
  ASSERT_GT(free_probes_for(dense.bits_per_key), 8u);
  const auto c = block_peer<std::uint64_t>(kFreeProbes, dense);
  if (!c) GTEST_SKIP() << "no AVX2 here";
  EXPECT_NEAR(measured_fpr(*c), free_probes_fpr(20, free_probes_for(20)), 0.0001);
}
#endif

// What the publications and the design say: theory for lines that fill as chance has it.
TEST(PeersRates, AsPublished) {
  EXPECT_NEAR(one_in_each_word_fpr(10, 8, 32), 0.0127, 0.0001);
  EXPECT_NEAR(one_in_each_word_fpr(10, 8, 64), 0.0105, 0.0001);
  EXPECT_NEAR(free_probes_fpr(10, 6), 0.0096, 0.0001);
  EXPECT_EQ(free_probes_for(8), 5u);
  EXPECT_EQ(free_probes_for(10), 6u);
}

TYPED_TEST(Peers, Article) {
  const double classic = std::pow(1 - std::exp(-7 / 10.0), 7);
  EXPECT_NEAR(measured_fpr(*article<TypeParam>(kSize)), classic, 0.0004);
}

TYPED_TEST(Peers, Libbloom) {
  const double classic = std::pow(1 - std::exp(-7 / 10.0), 7);
  EXPECT_NEAR(measured_fpr(*libbloom<TypeParam>(kSize)), classic, 0.0006);
}

// Its six probes come from one 32-bit hash by double hashing: documented as "about 1%", really up to half as much more.
TYPED_TEST(Peers, Leveldb) {
  const double fpr = measured_fpr(*leveldb_policy<TypeParam>(kSize));
  EXPECT_GT(fpr, 0.008);
  EXPECT_LT(fpr, 0.017);
}

TEST(PeersLibbloom, RefusesWhatItsSizesCannotHold) { EXPECT_FALSE(libbloom<std::uint64_t>({200'000'000, 12})); }

TEST(PeersArticle, HashesAsTheArticleDoes) {
  const bloomery::Hasher murmur3 = bloomery::Hasher::murmur3();
  std::string key;
  for (int size = 0; size < 70; ++size, key += static_cast<char>('a' + size)) {
    EXPECT_EQ(murmur3_first_word(key, 0x123456789abcdef0), murmur3(key).lo) << size;
    EXPECT_EQ(murmur3_first_word(key, 0xfedcba9876543210), murmur3(key).hi) << size;
  }
}

}  // namespace
}  // namespace bench::peers
