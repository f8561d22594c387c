// Windows of items and of time, by a clock that the test sets.
#include "redis/native_testing.hpp"

namespace bloomery::redis {
namespace {

using NativeWindow = NativeTest;

TEST_F(NativeWindow, AWindowOfItems) {
  const auto native = Native::create(Kind::windowed, 1e-6, 1000, 0);
  for (int i = 0; i < 5000; i += 100) add(*native, i, i + 100);
  EXPECT_EQ(found(*native, 4000, 5000), 1000);
  EXPECT_EQ(found(*native, 0, 3750), 0);
  EXPECT_EQ(native->due_ms(), 0);
  EXPECT_FALSE(native->turn(now_ms + 1'000'000'000));
}

TEST_F(NativeWindow, AWindowOfTimeForgetsByTheClock) {
  const auto native = timed(1000, 4);  // a generation lasts a second
  add_now(*native, 0, 10);
  now_ms += 4000;
  EXPECT_EQ(found(*native, 0, 10), 10);
  now_ms += 999;
  EXPECT_EQ(found(*native, 0, 10), 10);  // still the fifth generation from its own
  now_ms += 1;
  EXPECT_EQ(found(*native, 0, 10), 0);
  now_ms -= 5000;  // a clock that goes back has forgotten nothing yet
  EXPECT_EQ(found(*native, 0, 10), 10);
  now_ms = -5;
  EXPECT_EQ(found(*native, 0, 10), 10);
  EXPECT_EQ(native->due_ms(), 0);
}

TEST_F(NativeWindow, ATurnIsWhatIsDueAndNoMore) {
  const auto native = timed(1000, 4);
  add_now(*native, 0, 10);
  now_ms += 2500;
  EXPECT_EQ(native->due_ms(), 1'002'000);
  add_now(*native, 10, 20);
  EXPECT_EQ(native->clock().began_ms, 1'002'000u);
  EXPECT_EQ(native->due_ms(), 0);
  auto replica = moved(*native);
  ASSERT_TRUE(replica);
  now_ms += 2500;  // 5000 after the first, 2500 after the second
  EXPECT_EQ(found(*native, 0, 20), 10);
  const long long due = native->due_ms();
  EXPECT_TRUE(native->turn(due));
  EXPECT_FALSE(native->turn(due));
  EXPECT_TRUE(replica->turn(due));
  EXPECT_EQ(whole(*replica), whole(*native));
  now_ms += 1'000'000'000'000;
  EXPECT_EQ(add_now(*native, 0, 20).fresh, 20u);
  EXPECT_LE(static_cast<long long>(native->clock().began_ms), now_ms);
  EXPECT_GT(static_cast<long long>(native->clock().began_ms), now_ms - 1000);
  EXPECT_EQ(found(*native, 0, 20), 20);
}

TEST_F(NativeWindow, MoreThanFitIntoAWindowOfTime) {
  const auto window = timed(400, 4), rate = timed(400, 4, true);
  for (const auto* native : {&window, &rate})
    for (int i = 0; i < 4000; i += 50) add_now(**native, i, i + 50);
  EXPECT_EQ(found(*window, 3600, 4000), 400);
  EXPECT_LT(found(*window, 0, 3500), 5);
  EXPECT_EQ(found(*rate, 0, 4000), 4000);
  EXPECT_EQ(window->items_needed(), 16'000u);
  EXPECT_EQ(rate->items_needed(), 16'000u);
  EXPECT_TRUE(rate->rate_gives_way());
  EXPECT_FALSE(window->rate_gives_way());
  now_ms += 5000;
  EXPECT_EQ(found(*rate, 0, 4000), 0);
  ASSERT_TRUE(rate->reset());
  EXPECT_EQ(rate->items_needed(), 0u);
}

}  // namespace
}  // namespace bloomery::redis
