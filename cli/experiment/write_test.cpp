#include "cli/experiment/write.hpp"

#include <gtest/gtest.h>

#include "cli/experiment/plot.hpp"

namespace cli::experiment {
namespace {

TEST(Csv, QuotesWhatNeedsIt) {
  const Table table{.columns = {"name", "n", "rate"},
                    .rows = {{std::string("plain"), std::uint64_t{18446744073709551615U}, 0.1},
                             {std::string("a, \"b\""), std::uint64_t{0}, 1e-9}}};
  EXPECT_EQ(csv(table), "name,n,rate\nplain,18446744073709551615,0.1\n\"a, \"\"b\"\"\",0,1e-09\n");
}

Study study_with(const std::string& text) {
  return {.name = "s",
          .title = text,
          .table = {.columns = {"c"}, .rows = {{text}}},
          .charts = {{.name = "c", .title = text}},
          .findings = {text}};
}

TEST(HtmlReport, KeepsTextFromBecomingMarkup) {
  const std::string html = html_report({study_with("<b>&\"x\"")}, {"<svg/>"}, {}, {});
  EXPECT_EQ(html.find("<b>"), std::string::npos);
  EXPECT_NE(html.find("<li>&lt;b&gt;&amp;&quot;x&quot;</li>"), std::string::npos);
  EXPECT_NE(html.find("<td class=\"text\">&lt;b&gt;"), std::string::npos);
}

// RFC 4648's own examples.
TEST(HtmlReport, HoldsItsPictures) {
  for (const auto& [bytes, text] : {std::pair{"f", "Zg=="},
                                    {"fo", "Zm8="},
                                    {"foo", "Zm9v"},
                                    {"foob", "Zm9vYg=="},
                                    {"fooba", "Zm9vYmE="},
                                    {"foobar", "Zm9vYmFy"}}) {
    const std::string html = html_report({study_with("t")}, {bytes}, {}, {});
    EXPECT_NE(html.find(std::string("base64,") + text + "\">"), std::string::npos) << bytes;
  }
}

TEST(PlotScript, EscapesTextsAndPaths) {
  const Chart chart{.name = "c", .title = "a \"b\" \\n", .series = {{.name = "x\"", .points = {{1, 2, {}}}}}};
  const std::string script = plot_script(chart, "svg", "dir\"/out");
  EXPECT_NE(script.find("set output \"dir\\\"/out\"\n"), std::string::npos);
  EXPECT_NE(script.find("set title \"a \\\"b\\\" \\\\n\"\n"), std::string::npos);
  EXPECT_NE(script.find("title \"x\\\"\"\n"), std::string::npos);
}

}  // namespace
}  // namespace cli::experiment
