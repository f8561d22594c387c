// What the tests of our own filters share: an allocator that can refuse, a clock that stands, items that are numbers.
#pragma once
#include <gtest/gtest.h>
#include <malloc.h>

#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "bloomery/allocator.hpp"
#include "redis/clock.hpp"
#include "redis/native.hpp"
#include "redis/pieces.hpp"

namespace bloomery::redis {

inline std::size_t refuse_from = ~std::size_t{0};  // blocks of so many bytes
inline long long now_ms = 1'000'000;

// Counts what is taken, refuses on demand, and lets the clock stand.
class NativeTest : public testing::Test {
 protected:
  void SetUp() override {
    refuse_from = ~std::size_t{0};
    now_ms = 1'000'000;
    use_allocator({[](std::size_t bytes) noexcept { return bytes < refuse_from ? std::calloc(1, bytes) : nullptr; },
                   [](void* block) noexcept { std::free(block); },
                   [](void* block) noexcept { return malloc_usable_size(block); }});
    old_clock_ = unix_ms;
    unix_ms = []() noexcept { return now_ms; };
  }
  void TearDown() override {
    unix_ms = old_clock_;
    use_allocator({});
  }

 private:
  long long (*old_clock_)() noexcept = nullptr;
};

struct Answers {
  std::size_t fresh = 0, repeats = 0, answered = 0;
  Added last = Added::repeat;
};

// Items first .. last - 1, in one call.
inline Answers add(Native& native, int first, int last, std::uint64_t max_bytes = kNoLimit) {
  std::vector<std::string> texts;
  for (int i = first; i < last; ++i) texts.push_back(std::to_string(i));
  const std::vector<std::string_view> items(texts.begin(), texts.end());
  std::vector<Added> out(items.size(), Added::no_memory);
  Answers answers = {.answered = native.add(items, out, max_bytes)};
  for (std::size_t i = 0; i < answers.answered; ++i) {
    answers.fresh += out[i] == Added::fresh;
    answers.repeats += out[i] == Added::repeat;
    answers.last = out[i];
  }
  return answers;
}

inline int found(const Bloom& bloom, int first, int last) {
  int sum = 0;
  for (int i = first; i < last; ++i) {
    const std::string text = std::to_string(i);
    const std::string_view item = text;
    bool maybe = false;
    bloom.may_contain({&item, 1}, {&maybe, 1});
    sum += maybe;
  }
  return sum;
}

// What SCANDUMP sends, taken elsewhere.
inline std::unique_ptr<Native> moved(const Native& native, std::uint64_t piece_bytes = 1000) {
  auto twin = Native::from_header(native.header());
  if (!twin) return nullptr;
  std::uint64_t offset = 0;
  for (auto run = native.run(0, piece_bytes); !run.empty(); run = native.run(offset, piece_bytes)) {
    EXPECT_EQ(twin->store(offset, run), Bloom::Stored::yes);
    offset += run.size();
  }
  EXPECT_EQ(twin->store(offset, "x"), Bloom::Stored::no_such_place);
  EXPECT_EQ(twin->store(offset - 1, "xy"), Bloom::Stored::too_long);
  return twin;
}

inline std::string whole(const Native& native) {
  std::string all = native.header();
  std::uint64_t offset = 0;
  for (auto run = native.run(0, kMaxRunBytes); !run.empty(); run = native.run(offset, kMaxRunBytes)) {
    all.append(run);
    offset += run.size();
  }
  return all;
}

inline std::unique_ptr<Native> timed(std::uint64_t items, std::uint64_t seconds, bool rate_gives_way = false) {
  return Native::create_timed(1e-6, items, rate_gives_way,
                              WindowClock::of(seconds, static_cast<std::uint64_t>(now_ms)));
}

// As the commands do.
inline Answers add_now(Native& native, int first, int last) {
  const long long due = native.due_ms();
  EXPECT_EQ(native.turn(due), due != 0);
  return add(native, first, last);
}

}  // namespace bloomery::redis
