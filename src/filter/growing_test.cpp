// Growing: no key is lost, the promise is kept at every size, the memory is as said, and files go on.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

#include "bloomery/file.hpp"
#include "bloomery/filter.hpp"

namespace bloomery {
namespace {

Hash hash(std::uint64_t i) { return {mix(mix(i * 2 + 1) + kGolden), mix(mix(i * 2 + 1'000'000'007) + kGolden)}; }

std::vector<Hash> hashes(std::uint64_t first, std::uint64_t count) {
  std::vector<Hash> list(count);
  for (std::uint64_t i = 0; i < count; ++i) list[i] = hash(first + i);
  return list;
}

constexpr std::uint64_t kStrangers = std::uint64_t{1} << 40;

double measured_rate(const Filter& filter, std::uint64_t asked) {
  const auto strangers = hashes(kStrangers, asked);
  const auto out = std::make_unique<bool[]>(asked);
  return static_cast<double>(filter.may_contain(strangers, {out.get(), asked})) / static_cast<double>(asked);
}

bool contains_all(const Filter& filter, std::uint64_t count) {
  constexpr std::uint64_t kStep = 1 << 16;
  const auto out = std::make_unique<bool[]>(kStep);
  for (std::uint64_t i = 0; i < count; i += kStep) {
    const auto keys = hashes(i, std::min(kStep, count - i));
    if (filter.may_contain(keys, {out.get(), keys.size()}) != keys.size()) return false;
  }
  return true;
}

Filter growing(const Growth& growth) {
  auto filter = Filter::create(growth, Hasher::precomputed());
  EXPECT_TRUE(filter) << filter.error().message;
  return std::move(*filter);
}

std::uint64_t planned_bytes(std::uint64_t keys, double fpr) { return plan({.keys = keys, .fpr = fpr})->size_bytes; }

TEST(Growing, KeepsItsPromiseThroughTwentySteps) {
  for (const double fpr : {0.1, 0.05}) {
    Filter filter = growing({.fpr = fpr, .remember_keys = 0, .most_memory = 3.4});
    ASSERT_EQ(filter.segments().size(), 1u);
    ASSERT_LT(filter.size_bytes(), 1024u);
    std::uint64_t keys = 0, steps = 0;
    while (steps < 20) {
      const std::size_t before = filter.segments().size();
      const std::uint64_t fill = filter.segments().back().planned_keys - filter.segments().back().keys_inserted;
      ASSERT_LT(keys + fill, 1'000'000u);
      ASSERT_TRUE(filter.insert(hashes(keys, fill)));
      keys += fill;
      if (filter.segments().size() == before && filter.segments().back().keys_inserted < filter.segments().back().planned_keys)
        continue;  // some of the new keys were taken for repeats
      ++steps;
      constexpr std::uint64_t kAsked = 200'000;
      const double rate = measured_rate(filter, kAsked);
      EXPECT_LE(rate, fpr + 5 * std::sqrt(fpr / kAsked)) << "segments " << before << ", keys " << keys;
      EXPECT_LE(filter.expected_fpr(), fpr * 1.001);
      ASSERT_TRUE(filter.insert(hashes(keys, 1)));
      ++keys;
    }
    EXPECT_GE(filter.segments().size(), 21u);
    EXPECT_TRUE(contains_all(filter, keys));
  }
}

// Segments planned, not allocated, from the end of remembering to 2^40.
TEST(Growing, KeepsItsPromiseAndItsMemoryUpTo2To40) {
  for (const double fpr : {0.01, 1e-4, 1e-9}) {
    for (const std::uint64_t remembered : {std::uint64_t{100'000}, Growth{}.remember_keys}) {
      const Growth growth{.fpr = fpr, .remember_keys = remembered};
      const auto first = static_cast<double>(first_bytes(remembered));
      std::vector<Shape> segments;
      std::uint64_t keys = remembered, bytes = 0;
      double rate = 0;
      for (std::uint64_t capacity = 0; capacity < std::uint64_t{1} << 40;) {
        const auto next = plan_segment(growth, segments, keys);
        ASSERT_TRUE(next) << next.error().message;
        segments.push_back(next->shape);
        bytes += next->size_bytes;
        rate += next->fpr;
        capacity += next->keys;
        const double planned = static_cast<double>(planned_bytes(keys, fpr));
        const double most = keys < 100'000'000 || (fpr < 0.01 && remembered == 1'000'000) ? growth.most_memory : 3.6;
        ASSERT_LE(static_cast<double>(bytes), std::max(first, most * planned)) << keys;
        ASSERT_LE(rate, fpr);
        ASSERT_TRUE(remembered < 1'000'000 || capacity > 100'000'000 || segments.size() < 8) << segments.size();
        keys = std::min(capacity, std::uint64_t{1} << 40);
      }
      EXPECT_LE(segments.size(), 64u);
    }
  }
}

TEST(Growing, IsExactWhileItRemembers) {
  Filter filter = growing({.fpr = 0.01, .remember_keys = 5000});
  EXPECT_EQ(filter.kind(), Kind::exact);
  ASSERT_EQ(*filter.insert(hashes(0, 5000)), 5000u);
  EXPECT_EQ(filter.kind(), Kind::exact);
  EXPECT_EQ(measured_rate(filter, 100'000), 0);
  ASSERT_TRUE(filter.insert(hashes(5000, 1)));
  EXPECT_EQ(filter.kind(), Kind::blocked);
  EXPECT_TRUE(contains_all(filter, 5001));
  EXPECT_EQ(filter.counts().inserted, 5001u);
  EXPECT_EQ(filter.segments()[0].keys_inserted, 5001u);
  EXPECT_LE(filter.memory_bytes(), first_bytes(5000));
  EXPECT_EQ(filter.planned_fpr(), 0.01);
}

// The same keys in one batch, in batches of odd sizes, and one by one leave the same filter and the same answers.
TEST(Growing, DoesNotDependOnTheBatches) {
  const Growth growth{.fpr = 0.02, .remember_keys = 50};
  auto keys = hashes(0, 20'000);
  const auto again = hashes(0, 5000);
  keys.insert(keys.begin() + 9000, again.begin(), again.end());
  const auto fresh_at_once = std::make_unique<bool[]>(keys.size());
  Filter at_once = growing(growth), odd = growing(growth), single = growing(growth);
  const std::uint64_t count = *at_once.insert(keys, {fresh_at_once.get(), keys.size()});
  EXPECT_EQ(at_once.counts().inserted, count);
  EXPECT_GT(at_once.segments().size(), kMostWays);
  for (std::size_t at = 0, step = 1; at < keys.size(); at += step, step = 1 + step * 7 % 1999)
    ASSERT_TRUE(odd.insert(std::span<const Hash>(keys).subspan(at, std::min(step, keys.size() - at))));
  for (std::size_t i = 0; i < keys.size(); ++i) ASSERT_EQ(*single.insert(keys[i]) == Inserted::fresh, fresh_at_once[i]);
  EXPECT_TRUE(at_once == odd);
  EXPECT_TRUE(at_once == single);
  EXPECT_EQ(at_once.counts(), single.counts());
}

// How many of the segments of a filter have no bytes of their own: their lines take turns with others'.
std::size_t taking_turns(const Filter& filter) {
  const auto segments = filter.segments();
  return static_cast<std::size_t>(
      std::count_if(segments.begin(), segments.end(), [](const Segment& s) { return s.bytes.empty(); }));
}

// Stops at every segment of two groups and more.
TEST(Growing, AFileIsTheSameWhereverTheLinesLie) {
  const Growth growth{.fpr = 0.01, .remember_keys = 100};
  Filter filter = growing(growth);
  std::uint64_t keys = 0;
  std::size_t most_turns = 0;
  for (std::size_t segments = 0; segments < 2 * kMostWays + 2; keys += 50) {
    ASSERT_TRUE(filter.insert(hashes(keys, 50)));
    if (filter.kind() == Kind::exact || filter.segments().size() == segments) continue;
    segments = filter.segments().size();
    most_turns = std::max(most_turns, taking_turns(filter));
    const std::uint64_t present = keys + 50;
    const auto bytes = encode(filter);
    ASSERT_TRUE(bytes);
    ASSERT_TRUE(verify(*bytes));
    const auto mapped = decode(*bytes, {.load = Load::map}), copied = decode(*bytes, {.load = Load::copy});
    ASSERT_TRUE(mapped && copied);
    const auto twice = copied->clone();
    ASSERT_TRUE(twice);
    EXPECT_EQ(taking_turns(*mapped), 0u);
    const auto strangers = hashes(kStrangers, 3000);
    const auto expected = std::make_unique<bool[]>(3000), answers = std::make_unique<bool[]>(3000);
    filter.may_contain(strangers, {expected.get(), 3000});
    for (const Filter* same : {&*mapped, &*copied, &*twice}) {
      EXPECT_TRUE(*same == filter) << segments;
      EXPECT_TRUE(filter == *same) << segments;
      EXPECT_EQ(*encode(*same), *bytes) << segments;
      EXPECT_TRUE(contains_all(*same, present)) << segments;
      same->may_contain(strangers, {answers.get(), 3000});
      EXPECT_TRUE(std::equal(expected.get(), expected.get() + 3000, answers.get())) << segments;
      for (std::size_t i = 0; i < 3000; ++i) ASSERT_EQ(same->may_contain(strangers[i]), expected[i]) << i;
      EXPECT_EQ(same->fill_ratio(), filter.fill_ratio());
      EXPECT_EQ(same->current_fpr(), filter.current_fpr());
      EXPECT_EQ(same->estimated_keys(), filter.estimated_keys());
      EXPECT_EQ(same->size_bytes(), filter.size_bytes());
    }
    EXPECT_EQ(copied->memory_bytes(), filter.memory_bytes());
    EXPECT_EQ(taking_turns(*copied), taking_turns(filter));
    EXPECT_NE(filter.fill_ratio(), 0);
  }
  EXPECT_GE(most_turns, 2 * kMostWays);
}

// As earlier versions grew: each segment larger than the one before it. Two of equally many lines are new.
TEST(Growing, GoesOnFromAChainOfSegmentsOfAnySize) {
  const auto chain = [](std::span<const std::uint64_t> sizes) {
    Filter filter = std::move(*Filter::create(*plan({.keys = sizes[0], .fpr = 0.005}), Hasher::precomputed()));
    EXPECT_TRUE(filter.insert(hashes(0, sizes[0])));
    std::uint64_t keys = sizes[0];
    for (const std::uint64_t size : sizes.subspan(1)) {
      EXPECT_TRUE(filter.append_segment(*plan({.keys = size, .fpr = 0.001})));
      EXPECT_TRUE(filter.insert(hashes(keys, size)));
      keys += size;
    }
    EXPECT_EQ(taking_turns(filter), 0u);
    Parts parts{.hasher = filter.hasher(), .counts = filter.counts(), .growth = Growth{.most_memory = 3.6}};
    parts.growth->remember_keys = 100;
    parts.segments.assign(filter.segments().begin(), filter.segments().end());
    return std::pair(std::move(*Filter::from_parts(std::move(parts))->clone()), keys);
  };
  for (const auto& sizes : {std::vector<std::uint64_t>{400, 600, 1500}, {300, 500, 500}, {500, 500, 500, 2000, 2000}}) {
    auto [filter, keys] = chain(sizes);
    const auto bytes = encode(filter);
    ASSERT_TRUE(bytes);
    Filter copied = std::move(*decode(*bytes, {.load = Load::copy}));
    for (Filter* each : {&filter, &copied}) {
      const std::size_t segments = each->segments().size();
      EXPECT_TRUE(contains_all(*each, keys));
      ASSERT_TRUE(each->insert(hashes(keys, 10 * keys)));
      EXPECT_GT(each->segments().size(), segments);
      EXPECT_TRUE(contains_all(*each, 11 * keys));
      EXPECT_LE(measured_rate(*each, 100'000), 0.0115);
    }
    EXPECT_TRUE(filter == copied);
  }
}

TEST(Growing, GoesOnFromAFile) {
  const Growth growth{.fpr = 0.01, .remember_keys = 300};
  for (const std::uint64_t stop : {0u, 200u, 300u, 301u, 1100u, 5000u, 20'000u, 35'000u}) {
    Filter straight = growing(growth), first = growing(growth);
    ASSERT_TRUE(straight.insert(hashes(0, 40'000)));
    ASSERT_TRUE(first.insert(hashes(0, stop)));
    const auto bytes = encode(first);
    ASSERT_TRUE(bytes);
    for (const Load load : {Load::map, Load::copy}) {
      auto opened = decode(*bytes, {.load = load});
      ASSERT_TRUE(opened) << opened.error().message;
      EXPECT_EQ(opened->growth(), growth);
      auto writable = opened->clone();
      ASSERT_TRUE(writable);
      EXPECT_EQ(*encode(*writable), *bytes);
      ASSERT_TRUE(writable->insert(hashes(stop, 40'000 - stop)));
      EXPECT_TRUE(*writable == straight) << stop;
      EXPECT_EQ(writable->counts(), straight.counts());
    }
  }
}

TEST(Growing, RefusesWhatItCannot) {
  Filter filter = growing({.fpr = 0.01, .remember_keys = 10});
  Filter other = growing({.fpr = 0.01, .remember_keys = 10});
  for (const bool young : {true, false}) {
    for (const auto op : {Filter::Op::merge, Filter::Op::intersect}) EXPECT_FALSE(filter.can(op)) << young;
    const auto merged = filter.merge(other);
    ASSERT_FALSE(merged);
    EXPECT_EQ(merged.error().message, "filters that grow cannot be combined");
    EXPECT_EQ(filter.intersect(other).error().code, Errc::not_supported);
    EXPECT_EQ(filter.append_segment(*plan({.keys = 10, .fpr = 0.1})).error().code, Errc::not_supported);
    ASSERT_TRUE(filter.insert(hashes(0, 500)));
    ASSERT_TRUE(other.insert(hashes(0, 500)));
  }
  ASSERT_TRUE(filter.clear());
  EXPECT_EQ(filter.kind(), Kind::exact);
  EXPECT_EQ(filter.counts(), Counts{});
  EXPECT_FALSE(filter.may_contain(hash(1)));
  ASSERT_TRUE(filter.insert(hashes(0, 500)));
  EXPECT_TRUE(filter == other);
}

TEST(Growing, RefusesBadNumbers) {
  const auto message = [](const Growth& growth) {
    const auto made = Filter::create(growth, Hasher::xxh3());
    return made ? std::string() : made.error().message;
  };
  EXPECT_EQ(message({.fpr = 0}), "fpr of a growing filter must be at least 1e-12 and below 1 (got 0)");
  EXPECT_EQ(message({.fpr = 1}), "fpr of a growing filter must be at least 1e-12 and below 1 (got 1)");
  EXPECT_EQ(message({.remember_keys = ~0ull}), "remember_keys must be 0..2^40 (got 18446744073709551615)");
  EXPECT_EQ(message({.most_memory = 1}), "most_memory must be 2..64 (got 1)");
  EXPECT_EQ(message({.most_memory = std::nan("")}), "most_memory must be 2..64 (got nan)");
}

TEST(Growing, TheGateChecksGrowth) {
  Filter classic = std::move(*Filter::create({.kind = Kind::classic, .expected_keys = 10}));
  Parts parts{.growth = Growth{}, .segments = {classic.segments().begin(), classic.segments().end()}};
  EXPECT_EQ(Filter::from_parts(parts).error().code, Errc::corrupt);
  Filter blocked = std::move(*Filter::create({.expected_keys = 10}));
  parts.segments = {blocked.segments().begin(), blocked.segments().end()};
  EXPECT_TRUE(Filter::from_parts(parts));
  parts.growth->most_memory = 0;
  EXPECT_FALSE(Filter::from_parts(parts));
}

}  // namespace
}  // namespace bloomery
