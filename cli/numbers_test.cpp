#include "cli/numbers.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <string>

#include "cli/report.hpp"

namespace cli {
namespace {

constexpr CountRange kAny = {0, std::numeric_limits<std::uint64_t>::max() - 1};

template <class Parse>
std::string refusal(Parse parse) {
  try {
    parse();
  } catch (const Failure& failure) {
    return failure.message;
  }
  return "accepted";
}

TEST(Numbers, CountsAreDecimalPowers) {
  EXPECT_EQ(parse_count("--n", "0", kAny), 0U);
  EXPECT_EQ(parse_count("--n", "1000", kAny), 1000U);
  EXPECT_EQ(parse_count("--n", "10M", kAny), 10'000'000U);
  EXPECT_EQ(parse_count("--n", "1.5k", kAny), 1500U);
  EXPECT_EQ(parse_count("--n", "1e9", kAny), 1'000'000'000U);
  EXPECT_EQ(parse_count("--n", "2.5E+3", kAny), 2500U);
  EXPECT_EQ(parse_count("--n", "2^40", kAny), std::uint64_t{1} << 40);
  EXPECT_EQ(parse_count("--n", "18446744073709551614", kAny), kAny.most);
}

TEST(Numbers, SizesAreBinaryPowersUnlessTheySayOtherwise) {
  EXPECT_EQ(parse_size("--memory", "4096", kAny), 4096U);
  EXPECT_EQ(parse_size("--memory", "64K", kAny), 65536U);
  EXPECT_EQ(parse_size("--memory", "64KiB", kAny), 65536U);
  EXPECT_EQ(parse_size("--memory", "64KB", kAny), 64000U);
  EXPECT_EQ(parse_size("--memory", "1.5M", kAny), 1572864U);
  EXPECT_EQ(parse_size("--memory", "2G", kAny), std::uint64_t{2} << 30);
  EXPECT_EQ(parse_size("--memory", "1T", kAny), std::uint64_t{1} << 40);
  EXPECT_EQ(parse_size("--memory", "0.3K", kAny), 307U);
}

TEST(Numbers, RatesHaveFourForms) {
  EXPECT_DOUBLE_EQ(parse_rate("--fpr", "0.01"), 0.01);
  EXPECT_DOUBLE_EQ(parse_rate("--fpr", ".5"), 0.5);
  EXPECT_DOUBLE_EQ(parse_rate("--fpr", "1e-6"), 1e-6);
  EXPECT_DOUBLE_EQ(parse_rate("--fpr", "1%"), 0.01);
  EXPECT_DOUBLE_EQ(parse_rate("--fpr", "0.1%"), 0.001);
  EXPECT_DOUBLE_EQ(parse_rate("--fpr", "1/1000"), 0.001);
}

TEST(Numbers, WhatIsNoCountIsRefusedByName) {
  for (const char* text : {"", " 1", "1 ", "-1", "+1", "nan", "inf", "0x10", "1.5", "1..2", "1e", "1e-3", "K", "1KB",
                           "2^", "2^x", "2^-1", "10MM"}) {
    const std::string message = refusal([&] { parse_count("--expected", text, {1, 10}); });
    EXPECT_EQ(message.find("--expected: '" + std::string(text) + "' is not a whole number from 1 to 10"), 0U)
        << message;
  }
}

TEST(Numbers, WhatIsTooSmallOrTooLargeIsRefusedWithTheRange) {
  for (const char* text : {"0", "11", "1e30", "1e999999999999", "2^64", "2^99999999999999999999",
                           "18446744073709551616", "340282366920938463463374607431768211456", "99999999999T"}) {
    const std::string message = refusal([&] { parse_count("--bits", text, {1, 10}); });
    EXPECT_EQ(message, "--bits: '" + std::string(text) + "' is out of range; allowed is 1 to 10");
  }
}

TEST(Numbers, WhatIsNoSizeIsRefused) {
  for (const char* text : {"", "K", "-1M", "1X", "1Ki", "1 M", "1MBB", "2^20", "nan"})
    EXPECT_NE(refusal([&] { parse_size("--memory", text, kAny); }).find("is not a size"), std::string::npos) << text;
}

TEST(Numbers, WhatIsNoRateIsRefused) {
  for (const char* text : {"",   "0",    "1",   "2",   "-1", "5",  "nan",  "inf",  "1e-19", "1e-400", "1e400",
                           "0%", "100%", "1/0", "0/0", "/2", "1/", "0.1x", "0.1 ", "1/-2",  "%"})
    EXPECT_EQ(refusal([&] { parse_rate("--fpr", text); }).find("--fpr: '" + std::string(text) + "' is not a rate"), 0U)
        << text;
}

TEST(Numbers, SeedsAreWholeWords) {
  EXPECT_EQ(parse_seed("--seed", "0"), 0U);
  EXPECT_EQ(parse_seed("--seed", "18446744073709551615"), std::numeric_limits<std::uint64_t>::max());
  EXPECT_EQ(parse_seed("--seed", "0xff"), 255U);
  for (const char* text : {"", "-1", "1x", "0x", "18446744073709551616", "Random"})
    EXPECT_NE(refusal([&] { parse_seed("--seed", text); }).find("is not a seed"), std::string::npos) << text;
}

TEST(Numbers, Durations) {
  EXPECT_EQ(parse_duration("--t", "60s"), 60);
  EXPECT_EQ(parse_duration("--t", "1.5h"), 5400);
  EXPECT_EQ(parse_duration("--t", "10min"), 600);
  EXPECT_EQ(parse_duration("--t", "250ms"), 0.25);
  for (const char* text : {"", "60", "s", "0s", "-1s", "1e400s", "nan s", "60 s", "60ss", "1000d"})
    EXPECT_THROW(parse_duration("--t", text), Failure) << text;
}

}  // namespace
}  // namespace cli
