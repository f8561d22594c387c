// A filter filled in bulk, or by several threads at once, is the filter of inserting key by key.
#include "bloomery/bulk.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <thread>
#include <vector>

namespace bloomery {
namespace {

constexpr std::uint64_t kScratch = std::uint64_t{4} << 20;

struct Case {
  Kind kind;
  double fpr;
};
// Just enough lines, and keys in each, that several threads share them by line range. The others are filled directly.
constexpr std::size_t kKeys = 270'000;
constexpr Case kCases[] = {{Kind::blocked, 1e-9}, {Kind::blocked, 1e-14}, {Kind::classic, 0.01}, {Kind::exact, 0}};

std::vector<Hash> hashes(std::size_t count) {
  std::vector<Hash> list;
  for (std::size_t i = 0; i < count; ++i) list.push_back(Hash::from_u64(mix(mix(i * kGolden) + 1)));
  for (std::size_t i = 7; i < count; i += 11) list[i] = list[i / 2];  // repeats
  return list;
}

Plan plan_for(const Case& c) {
  if (c.kind == Kind::exact) return *plan({.kind = c.kind});
  if (c.fpr == 1e-9) return *plan({.kind = c.kind, .keys = kKeys, .bits_per_key = 125, .lines_per_key = 1});
  return *plan({.kind = c.kind, .keys = kKeys, .fpr = c.fpr});
}

void expect_same(const Filter& a, const Filter& b) {
  EXPECT_TRUE(a == b);
  EXPECT_EQ(a.counts(), b.counts());
  EXPECT_EQ(a.segments()[0].keys_inserted, b.segments()[0].keys_inserted);
}

TEST(FilterBulk, EqualsInsertingForEveryKindAndAnyThreads) {
  const auto keys = hashes(kKeys);
  std::vector<std::uint64_t> words;
  for (const Hash h : keys) words.push_back(h.lo);
  for (const Case& c : kCases) {
    Filter expected = *Filter::create(plan_for(c), Hasher{});
    ASSERT_TRUE(expected.insert(keys));
    for (const BuildOptions& options : {BuildOptions{kScratch, 1}, BuildOptions{0, 3}, BuildOptions{kScratch, 3}}) {
      SCOPED_TRACE(testing::Message() << name(c.kind) << ", threads " << options.threads << ", scratch "
                                      << *options.scratch_bytes);
      expect_same(*Filter::build(plan_for(c), Hasher{}, std::span<const Hash>(keys), options), expected);
      expect_same(*Filter::build(plan_for(c), Hasher{}, std::span<const std::uint64_t>(words), options), expected);
      Filter streamed = *Filter::create(plan_for(c), Hasher{});
      auto bulk = BulkInserter::into(streamed, options);
      ASSERT_TRUE(bulk);
      for (std::size_t at = 0; at < keys.size(); at += 4096)
        ASSERT_TRUE(bulk->add(std::span(keys).subspan(at, std::min<std::size_t>(4096, keys.size() - at))));
      bulk->finish();
      expect_same(streamed, expected);
    }
  }
}

TEST(FilterBulk, StaticKindsAreBuiltOfWordsToo) {
  const auto keys = hashes(1000);
  std::vector<std::uint64_t> words;
  for (const Hash h : keys) words.push_back(h.lo);
  const Spec spec{.kind = Kind::fuse, .expected_keys = 1000};
  EXPECT_TRUE(*Filter::build(spec, std::span<const Hash>(keys)) ==
              *Filter::build(spec, std::span<const std::uint64_t>(words)));
}

TEST(FilterBulk, RefusesWhatIsReadOnly) {
  const Filter filter = *Filter::create({.expected_keys = 10});
  Filter view = *Filter::from_parts({.segments = {filter.segments()[0]}});
  EXPECT_EQ(BulkInserter::into(view).error().code, Errc::not_supported);
  const Hash key{1, 2};
  EXPECT_EQ(view.insert_bulk(std::span<const Hash>(&key, 1)).error().code, Errc::not_supported);
  EXPECT_EQ(view.insert_concurrent(std::span<const Hash>(&key, 1)).error().code, Errc::not_supported);
  Filter exact = *Filter::create({.kind = Kind::exact});
  EXPECT_EQ(exact.insert_concurrent(std::span<const Hash>(&key, 1)).error().code, Errc::not_supported);
}

// All threads insert all keys, each from another place on; every key must be fresh for one of them at least.
void expect_concurrent_is_as_one_by_one(const Plan& plan) {
  constexpr std::size_t kFew = 20'000, kThreads = 4, kRun = 250;
  const auto keys = hashes(kFew);
  Filter expected = *Filter::create(plan, Hasher{}), shared = *Filter::create(plan, Hasher{});
  ASSERT_TRUE(expected.insert(keys));
  std::vector<std::atomic<unsigned>> fresh_for(kFew);
  std::atomic<unsigned> ready = 0;
  std::vector<std::thread> threads;
  for (std::size_t t = 0; t < kThreads; ++t)
    threads.emplace_back([&, t] {
      ++ready;
      while (ready < kThreads) std::this_thread::yield();
      bool fresh[kRun];
      for (std::size_t run = 0; run < kFew / kRun; ++run) {
        const std::size_t at = (run + t * 7) % (kFew / kRun) * kRun;
        ASSERT_TRUE(shared.insert_concurrent(std::span(keys).subspan(at, kRun), fresh));
        for (std::size_t i = 0; i < kRun; ++i) fresh_for[at + i] += fresh[i];
      }
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_TRUE(shared == expected);
  EXPECT_EQ(shared.counts().offered, kThreads * kFew);
  EXPECT_GE(shared.counts().inserted, expected.counts().inserted);
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < kFew; ++i) {
    sum += fresh_for[i];
    if ((i - 7) % 11 != 0 || i < 7) continue;
    EXPECT_GE(fresh_for[i] + fresh_for[i / 2], 1U) << "key " << i;
  }
  EXPECT_EQ(shared.counts().inserted, sum);
}

TEST(FilterConcurrent, LeavesTheSameBits) {
  expect_concurrent_is_as_one_by_one(*plan({.keys = 20'000, .bits_per_key = 70, .lines_per_key = 1}));
  expect_concurrent_is_as_one_by_one(*plan({.keys = 20'000, .fpr = 1e-9}));  // several lines per key
  expect_concurrent_is_as_one_by_one(*plan({.kind = Kind::classic, .keys = 20'000, .fpr = 1e-9}));
}

TEST(FilterConcurrent, OneThreadTellsFreshAsInsertDoes) {
  for (const Kind kind : {Kind::blocked, Kind::classic}) {
    Filter a = *Filter::create({.kind = kind, .expected_keys = 2'000, .fpr = 0.1}), b = *a.clone();
    const auto keys = hashes(4'000);
    const auto fresh_a = std::make_unique<bool[]>(keys.size()), fresh_b = std::make_unique<bool[]>(keys.size());
    EXPECT_EQ(*a.insert(keys, std::span(fresh_a.get(), keys.size())),
              *b.insert_concurrent(keys, std::span(fresh_b.get(), keys.size())));
    EXPECT_TRUE(std::equal(fresh_a.get(), fresh_a.get() + keys.size(), fresh_b.get()));
    expect_same(a, b);
    const std::string_view text[] = {"a", "b", "a"};
    EXPECT_EQ(*a.insert(text), *b.insert_concurrent(text));
    expect_same(a, b);
  }
}

TEST(FilterMemory, TellsHowMuchIsOnHugePages) {
  const Filter small = *Filter::create({.expected_keys = 1000});
  EXPECT_LE(small.huge_page_bytes(), small.size_bytes());
  Filter large = *Filter::create({.expected_keys = 10'000'000});
  EXPECT_EQ(large.huge_page_bytes(), 0U);  // nothing is touched yet
  ASSERT_TRUE(large.insert(hashes(100'000)));
  EXPECT_LE(large.huge_page_bytes(), large.size_bytes());
}

}  // namespace
}  // namespace bloomery
