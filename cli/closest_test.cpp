#include "cli/closest.hpp"

#include <gtest/gtest.h>

#include <array>

namespace cli {
namespace {

TEST(EditDistance, CountsEachKindOfError) {
  EXPECT_EQ(edit_distance("", ""), 0U);
  EXPECT_EQ(edit_distance("", "abc"), 3U);
  EXPECT_EQ(edit_distance("check", "check"), 0U);
  EXPECT_EQ(edit_distance("chek", "check"), 1U);
  EXPECT_EQ(edit_distance("checck", "check"), 1U);
  EXPECT_EQ(edit_distance("chick", "check"), 1U);
  EXPECT_EQ(edit_distance("chcek", "check"), 1U);  // neighbours swapped
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3U);
}

TEST(Closest, FindsWhatWasMeantAndNothingElse) {
  using namespace std::string_view_literals;
  static constexpr std::array kVerbs = {"dedup"sv, "build"sv, "insert"sv, "check"sv, "info"sv, "verify"sv};
  EXPECT_EQ(closest("chekc", kVerbs), "check");
  EXPECT_EQ(closest("dedupe", kVerbs), "dedup");
  EXPECT_EQ(closest("ver", kVerbs), "verify");
  EXPECT_EQ(closest("inof", kVerbs), "info");
  EXPECT_EQ(closest("frobnicate", kVerbs), "");
  EXPECT_EQ(closest("", kVerbs), "");
  EXPECT_EQ(closest("x", kVerbs), "");
}

TEST(Closest, DoesNotChooseBetweenTwo) {
  using namespace std::string_view_literals;
  static constexpr std::array kNames = {"cat"sv, "bat"sv};
  EXPECT_EQ(closest("rat", kNames), "");
}

TEST(Closest, SaysWhatIsAllowed) {
  using namespace std::string_view_literals;
  static constexpr std::array kKinds = {"blocked"sv, "classic"sv};
  EXPECT_EQ(unknown_name("--kind", "blockt", kKinds),
            "--kind: 'blockt' is unknown; did you mean 'blocked'? allowed are blocked, classic");
  EXPECT_EQ(unknown_name("--kind", "tree", kKinds), "--kind: 'tree' is unknown; allowed are blocked, classic");
}

}  // namespace
}  // namespace cli
