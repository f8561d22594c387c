#include <fmt/format.h>

#include "cli/experiment/write.hpp"

namespace cli::experiment {
namespace {

std::string quoted(const std::string& text) {
  if (text.find_first_of(",\"\n\r") == std::string::npos) return text;
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"') result += '"';
    result += c;
  }
  return result + '"';
}

}  // namespace

std::string cell_text(const Cell& cell) {
  if (const auto* text = std::get_if<std::string>(&cell)) return *text;
  if (const auto* whole = std::get_if<std::uint64_t>(&cell)) return std::to_string(*whole);
  return fmt::format("{:.6g}", std::get<double>(cell));
}

std::string csv(const Table& table) {
  std::string result;
  for (std::size_t i = 0; i < table.columns.size(); ++i) result += (i == 0 ? "" : ",") + table.columns[i];
  for (const auto& row : table.rows) {
    result += '\n';
    for (std::size_t i = 0; i < row.size(); ++i) result += (i == 0 ? "" : ",") + quoted(cell_text(row[i]));
  }
  return result + '\n';
}

}  // namespace cli::experiment
