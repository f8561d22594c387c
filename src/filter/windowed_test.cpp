// Windowed filters against the list of sightings: what must be found, what must be forgotten, at which rate.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "bloomery/bulk.hpp"
#include "bloomery/compare.hpp"
#include "bloomery/file.hpp"
#include "bloomery/filter.hpp"
#include "bloomery/layout/windowed.hpp"
#include "bloomery/shrink.hpp"
#include "hash/nth_hash.hpp"

namespace bloomery {
namespace {

Filter windowed(std::uint64_t window, double fpr, std::uint8_t rule = 0) {
  auto planned = plan({.kind = Kind::windowed, .keys = window, .fpr = fpr});
  EXPECT_TRUE(planned) << planned.error().message;
  planned->shape.rule = rule;
  return std::move(*Filter::create(*planned, Hasher::precomputed()));
}

std::uint64_t span_of(std::uint64_t window) { return window + (window + 3) / 4; }

double measured_rate(const Filter& filter, std::uint64_t asked) {
  std::vector<Hash> strangers(asked);
  for (std::uint64_t i = 0; i < asked; ++i) strangers[i] = nth_hash((std::uint64_t{1} << 40) + i);
  const auto out = std::make_unique<bool[]>(asked);
  return static_cast<double>(filter.may_contain(strangers, {out.get(), asked})) / static_cast<double>(asked);
}

// A stream with repeats of every distance. Every answer is compared with the age of the key's last (or first
// remembered) sighting.
void follow(std::uint64_t window, std::uint8_t rule, std::uint64_t lines) {
  Filter filter = windowed(window, 1e-9, rule);
  std::unordered_map<std::uint64_t, std::uint64_t> counted_at;
  std::uint64_t random = window + rule, forgotten = 0, kept = 0;
  for (std::uint64_t t = 0; t < lines; ++t) {
    random = mix(random + kGolden);
    const std::uint64_t back = random % (2 * window + 2);
    const std::uint64_t key = t > back ? (t - back) / 2 : t / 2;
    const auto seen = counted_at.find(key);
    const bool fresh = *filter.insert(nth_hash(key)) == Inserted::fresh;
    if (seen == counted_at.end()) {
      ASSERT_TRUE(fresh) << "line " << t;
    } else {
      const std::uint64_t age = t - seen->second;
      ASSERT_FALSE(age <= window && fresh) << "line " << t << " age " << age << " window " << window;
      ASSERT_FALSE(age > span_of(window) && !fresh) << "line " << t << " age " << age << " window " << window;
      forgotten += age > span_of(window);
      kept += age <= window;
    }
    if (fresh || (rule & Windowed::kFromFirst) == 0) counted_at[key] = t;
  }
  EXPECT_GT(kept, lines / 10);
  EXPECT_TRUE(forgotten > 0 || window >= lines / 4);
}

TEST(Windowed, FindsTheWindowAndForgetsWhatIsOlder) {
  for (const std::uint64_t window : {1u, 2u, 3u, 4u, 5u, 7u, 8u, 9u, 100u, 1001u, 4096u})
    for (const std::uint8_t rule : {std::uint8_t{0}, Windowed::kFromFirst}) follow(window, rule, 20'000);
}

TEST(Windowed, KeepsItsRateForever) {
  for (const double fpr : {0.05, 0.01, 1e-3}) {
    constexpr std::uint64_t kWindow = 20'000, kAsked = 200'000;
    Filter filter = windowed(kWindow, fpr);
    double sum = 0;
    constexpr int kLooks = 16;
    for (int look = 0; look < kLooks; ++look) {
      for (std::uint64_t i = 0; i < 5500; ++i) ASSERT_TRUE(filter.insert(nth_hash(static_cast<std::uint64_t>(look) * 5500 + i)));
      const double rate = measured_rate(filter, kAsked), error = 5 * std::sqrt(fpr / kAsked);
      EXPECT_LE(rate, fpr * 1.03 + error);
      EXPECT_NEAR(rate, filter.current_fpr(), fpr * 0.05 + error);
      EXPECT_LE(rate, filter.expected_fpr() * 1.05 + error);
      if (look >= kLooks / 2) sum += rate / (kLooks / 2);
    }
    EXPECT_GE(sum, fpr * 0.7);  // and it is not much larger than it must be
    EXPECT_EQ(filter.memory_bytes(), plan({.kind = Kind::windowed, .keys = kWindow, .fpr = fpr})->size_bytes);
  }
}

TEST(Windowed, BatchesAndFilesGoOnAlike) {
  std::vector<Hash> keys;
  for (std::uint64_t i = 0; i < 9000; ++i) keys.push_back(nth_hash(i * 7919 % 3000));
  const auto fresh = std::make_unique<bool[]>(keys.size());
  Filter whole = windowed(777, 0.01), parts = windowed(777, 0.01);
  ASSERT_TRUE(whole.insert(keys, {fresh.get(), keys.size()}));
  for (std::size_t i = 0; i < keys.size(); ++i) {
    ASSERT_EQ(*parts.insert(keys[i]) == Inserted::fresh, fresh[i]) << i;
    if (i % 1000 == 500) parts = std::move(*decode(*encode(parts))->clone());
  }
  EXPECT_TRUE(whole == parts);
  Filter bulk = windowed(777, 0.01);
  ASSERT_TRUE(bulk.insert_bulk(keys));
  EXPECT_TRUE(whole == bulk);
  EXPECT_EQ(*encode(whole), *encode(parts));
}

// Large enough that lines are fetched ahead.
TEST(Windowed, ALargeBatchAnswersAsTheScalarLayout) {
  constexpr std::uint64_t kWindow = 400'000;
  Filter batched = windowed(kWindow, 1e-3);
  const Shape shape = batched.segments()[0].shape;
  std::vector<std::byte> bytes(Windowed::size_bytes(shape));
  std::vector<Hash> keys;
  for (std::uint64_t i = 0; i < 3 * kWindow / 2; ++i) keys.push_back(nth_hash(i * i % (kWindow / 2 + 1)));
  const auto answers = std::make_unique<bool[]>(keys.size());
  ASSERT_TRUE(batched.insert(keys, {answers.get(), keys.size()}));
  for (std::size_t i = 0; i < keys.size(); ++i) ASSERT_EQ(Windowed::insert(shape, bytes, keys[i]), answers[i]) << i;
  EXPECT_TRUE(std::equal(bytes.begin(), bytes.end(), batched.segments()[0].bytes.begin()));
  for (std::size_t i = 0; i < keys.size(); ++i) keys[i] = nth_hash(i * 5);
  batched.may_contain(keys, {answers.get(), keys.size()});
  for (std::size_t i = 0; i < keys.size(); ++i) ASSERT_EQ(Windowed::may_contain(shape, bytes, keys[i]), answers[i]) << i;
}

TEST(Windowed, TurnsWhenToldAndOnlyThen) {
  Filter filter = windowed(10, 0.001, Windowed::kWhenTold);
  for (std::uint64_t i = 0; i < 50; ++i) ASSERT_TRUE(filter.insert(nth_hash(i)));
  for (std::uint64_t i = 0; i < 50; ++i) EXPECT_TRUE(filter.may_contain(nth_hash(i)));
  for (unsigned turn = 0; turn < Windowed::kGenerations; ++turn) ASSERT_TRUE(filter.begin_generation());
  for (std::uint64_t i = 0; i < 50; ++i) EXPECT_TRUE(filter.may_contain(nth_hash(i)));
  ASSERT_TRUE(filter.begin_generation());
  EXPECT_EQ(filter.fill_ratio(), 0);
}

// Asked as after turns that did not happen: as after turns that did, alone and in batches, at any generation.
TEST(Windowed, AnswersAsAfterTurnsThatAreDue) {
  for (const std::uint64_t window : {40u, 200'000u}) {
    Filter filter = windowed(window, 0.01, Windowed::kWhenTold);
    std::vector<Hash> keys;
    for (std::uint64_t generation = 0; generation < 7; ++generation) {
      for (std::uint64_t i = 0; i < window / 4; ++i) keys.push_back(nth_hash(generation << 32 | i));
      ASSERT_TRUE(filter.insert(std::span<const Hash>(keys).last(window / 4)));
      Filter turned = std::move(*filter.clone());
      const auto asked = std::make_unique<bool[]>(keys.size()), wanted = std::make_unique<bool[]>(keys.size());
      for (const std::uint64_t turns : {0u, 1u, 2u, 3u, 4u, 5u, 6u}) {
        const std::span<bool> answers(asked.get(), keys.size());
        EXPECT_EQ(filter.may_contain_after(turns, keys, answers), turned.may_contain(keys, {wanted.get(), keys.size()}));
        EXPECT_TRUE(std::equal(answers.begin(), answers.end(), wanted.get())) << turns;
        const Segment& segment = filter.segments()[0];
        for (std::size_t i = 0; i < keys.size(); i += 1 + keys.size() / 40)
          ASSERT_EQ(Windowed::may_contain(segment.shape, segment.bytes, keys[i], turns), answers[i]);
        ASSERT_TRUE(turned.begin_generation());
      }
      ASSERT_TRUE(filter.begin_generation());
    }
    bool one = true;
    EXPECT_EQ(filter.may_contain_after(~std::uint64_t{0}, std::span<const Hash>(keys).last(1), {&one, 1}), 0u);
    EXPECT_FALSE(one);
  }
  Filter strings = std::move(*Filter::create({.kind = Kind::windowed, .expected_keys = 2000, .fpr = 1e-6}));
  const std::vector<std::string> texts = [] {
    std::vector<std::string> all;
    for (int i = 0; i < 600; ++i) all.push_back(std::to_string(i));
    return all;
  }();
  const std::vector<std::string_view> views(texts.begin(), texts.end());
  const auto answers = std::make_unique<bool[]>(views.size());
  ASSERT_TRUE(strings.insert(std::span<const std::string_view>(views).first(400)));
  EXPECT_EQ(strings.may_contain_after(4, views, {answers.get(), views.size()}), 400u);
  EXPECT_EQ(strings.may_contain_after(5, views, {answers.get(), views.size()}), 0u);
  Filter blocked = std::move(*Filter::create({.expected_keys = 2000, .fpr = 1e-6}));
  ASSERT_TRUE(blocked.insert(std::span<const std::string_view>(views).first(400)));
  EXPECT_EQ(blocked.may_contain_after(9, views, {answers.get(), views.size()}), 400u);
}

TEST(Windowed, RefusesWhatItCannot) {
  Filter filter = windowed(100, 0.01), other = windowed(100, 0.01);
  EXPECT_FALSE(filter.can(Filter::Op::merge));
  EXPECT_EQ(filter.merge(other).error().message,
            "windowed filters cannot be combined: what they hold depends on the order");
  EXPECT_EQ(filter.intersect(other).error().code, Errc::not_supported);
  EXPECT_EQ(compare(filter, other).error().code, Errc::not_supported);
  EXPECT_EQ(shrink(filter, 2).error().code, Errc::not_supported);
  EXPECT_EQ(filter.erase(nth_hash(1)).error().code, Errc::not_supported);
  EXPECT_EQ(filter.insert_concurrent(std::vector<Hash>{nth_hash(1)}).error().code, Errc::not_supported);
  EXPECT_EQ(filter.append_segment(*plan({.kind = Kind::windowed, .keys = 10, .fpr = 0.1})).error().code, Errc::not_supported);
  EXPECT_EQ(Filter::create({.expected_keys = 9})->begin_generation().error().code, Errc::not_supported);
  EXPECT_EQ(plan({.kind = Kind::windowed, .keys = 0, .fpr = 0.01}).error().message, "keys must be 1..2^40 (got 0)");
  EXPECT_EQ(plan({.kind = Kind::windowed, .fpr = 0.01, .bits = 1000}).error().message,
            "keys must be given for kind windowed: the length of the window");
  ASSERT_TRUE(filter.insert(nth_hash(1)));
  ASSERT_TRUE(filter.clear());
  EXPECT_FALSE(filter.may_contain(nth_hash(1)));
}

// Whatever the state says, the gate's checks suffice.
TEST(Windowed, HostileStatesAreHarmless) {
  const Filter good = windowed(3, 0.01);
  const Segment& segment = good.segments()[0];
  std::vector<std::byte> bytes(segment.bytes.size(), std::byte{255});
  Parts parts{.hasher = Hasher::precomputed(), .segments = {segment}};
  parts.segments[0].bytes = bytes;
  auto hostile = Filter::from_parts(parts);
  ASSERT_TRUE(hostile);
  Filter writable = std::move(*hostile->clone());
  for (std::uint64_t i = 0; i < 100; ++i) ASSERT_TRUE(writable.insert(nth_hash(i)));
  EXPECT_TRUE(writable.may_contain(nth_hash(99)));
  parts.segments[0].shape.param[1] = 16;
  EXPECT_FALSE(Filter::from_parts(parts));
}

}  // namespace
}  // namespace bloomery
