#include <fmt/format.h>

#include "bloomery/export.h"
#include "cli/experiment/write.hpp"
#include "cli/report.hpp"

namespace cli::experiment {
namespace {

constexpr std::string_view kHead = R"html(<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>bloomery experiment</title>
<style>
  :root { color-scheme: light dark; --line: #8884; }
  body { font: 16px/1.5 system-ui, sans-serif; max-width: 64rem; margin: 2rem auto; padding: 0 1rem; }
  h2 { margin-top: 3rem; border-top: 1px solid var(--line); padding-top: 1rem; }
  img { width: 100%; height: auto; background: #fff; border-radius: 4px; margin: 1rem 0; }
  .wide { overflow-x: auto; }
  table { border-collapse: collapse; font-size: 0.85rem; font-variant-numeric: tabular-nums; }
  th, td { padding: 0.2rem 0.6rem; border-bottom: 1px solid var(--line); text-align: right; white-space: nowrap; }
  th:first-child, td:first-child, td.text { text-align: left; }
  .outside { border-left: 4px solid #d55e00; padding-left: 0.75rem; }
</style>
</head>
<body>
<h1>bloomery experiment</h1>
)html";

std::string escaped(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (c == '&')
      result += "&amp;";
    else if (c == '<')
      result += "&lt;";
    else if (c == '>')
      result += "&gt;";
    else if (c == '"')
      result += "&quot;";
    else
      result += c;
  }
  return result;
}

std::string base64(std::string_view bytes) {
  static constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string result;
  for (std::size_t at = 0; at < bytes.size(); at += 3) {
    std::uint32_t three = 0;
    for (std::size_t i = 0; i < 3; ++i)
      three = three << 8 | (at + i < bytes.size() ? static_cast<unsigned char>(bytes[at + i]) : 0U);
    for (std::size_t i = 0; i < 4; ++i) result += at + i <= bytes.size() ? kDigits[three >> (18 - 6 * i) & 63] : '=';
  }
  return result;
}

// As a picture of its own: what it names inside does not meet the other pictures' names.
std::string picture(const Chart& chart, std::string_view svg) {
  return fmt::format("<img alt=\"{}; the table below has the numbers\" src=\"data:image/svg+xml;base64,{}\">\n",
                     escaped(chart.title), base64(svg));
}

std::string html_table(const Table& table) {
  std::string text = "<div class=\"wide\" tabindex=\"0\"><table>\n<thead><tr>";
  for (const std::string& column : table.columns) text += fmt::format("<th scope=\"col\">{}</th>", escaped(column));
  text += "</tr></thead>\n<tbody>\n";
  for (const auto& row : table.rows) {
    text += "<tr>";
    for (const Cell& cell : row)
      text += fmt::format("<td{}>{}</td>", std::holds_alternative<std::string>(cell) ? " class=\"text\"" : "",
                          escaped(cell_text(cell)));
    text += "</tr>\n";
  }
  return text + "</tbody></table></div>\n";
}

std::string html_list(const std::vector<std::string>& sentences, std::string_view style) {
  if (sentences.empty()) return "";
  std::string text = fmt::format("<ul{}>\n", style);
  for (const std::string& sentence : sentences) text += fmt::format("<li>{}</li>\n", escaped(sentence));
  return text + "</ul>\n";
}

// How to do it again.
std::string command_line(const std::vector<Study>& studies, const Settings& settings) {
  std::string names;
  for (const Study& study : studies) names += (names.empty() ? "" : ",") + study.name;
  return fmt::format("bloomery experiment --study {} --seed {} --error {}{}", names, settings.seed, settings.error,
                     settings.quick ? " --quick" : "");
}

std::string html_machine(const Machine& machine, const std::string& command) {
  std::string caches;
  for (const auto& [name, bytes] : machine.caches)
    caches += fmt::format("{}{} {}", caches.empty() ? "" : ", ", name, human_bytes(bytes));
  Table table{.columns = {"", "measured with"}};
  const auto add = [&table](std::string what, Cell value) {
    table.rows.push_back({std::move(what), std::move(value)});
  };
  add("processor", machine.cpu);
  add("processors", std::uint64_t{machine.processors});
  add("caches", caches);
  add("memory", human_bytes(machine.memory_bytes));
  add("vector instructions", machine.kernel);
  add("compiler", machine.compiler);
  add("system", machine.system);
  add("bloomery", BLOOMERY_VERSION);
  add("command", command);
  return html_table(table);
}

}  // namespace

std::string html_report(const std::vector<Study>& studies, const std::vector<std::string>& pictures,
                        const Settings& settings, const Machine& machine) {
  std::string text(kHead);
  text += html_machine(machine, command_line(studies, settings));
  std::size_t next = 0;
  for (const Study& study : studies) {
    text += fmt::format("<h2>{}</h2>\n", escaped(study.title));
    text += html_list(study.findings, "");
    text += html_list(study.outside, " class=\"outside\"");
    for (const Chart& chart : study.charts) text += picture(chart, pictures[next++]);
    text += fmt::format("<details><summary>{} rows</summary>\n{}</details>\n", study.table.rows.size(),
                        html_table(study.table));
  }
  return text + "</body>\n</html>\n";
}

}  // namespace cli::experiment
