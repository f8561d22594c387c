#include "cli/progress.hpp"

#include <gtest/gtest.h>

namespace cli {
namespace {

TEST(ClockTime, RoundsUpToWholeSeconds) {
  EXPECT_EQ(clock_time(0), "0:00");
  EXPECT_EQ(clock_time(6.2), "0:07");
  EXPECT_EQ(clock_time(59.5), "1:00");
  EXPECT_EQ(clock_time(3723), "1:02:03");
  EXPECT_EQ(clock_time(1e30), "99:59:59");
}

TEST(ProgressText, TellsTimeLeftWhereTheShareIsKnown) {
  EXPECT_EQ(progress_text(1'000'000, 2, 0.25), "1,000,000 lines, 25%, 500 K lines/s, 0:06 left");
  EXPECT_EQ(progress_text(30'000'000, 10, 0.999), "30,000,000 lines, 99%, 3.00 M lines/s, 0:01 left");
}

TEST(ProgressText, GuessesNothingForAPipe) {
  EXPECT_EQ(progress_text(500, 0.5, 0), "500 lines, 1000 lines/s");
  EXPECT_EQ(progress_text(0, 0, 0), "0 lines, 0 lines/s");
}

}  // namespace
}  // namespace cli
