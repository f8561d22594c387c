#include "cli/report.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <cstring>
#include <nlohmann/json.hpp>

#include "cli/output.hpp"
#include "cli/terminal.hpp"

namespace cli {
namespace {

std::string_view verb_name;

std::string prefix() { return verb_name.empty() ? std::string("bloomery: ") : fmt::format("bloomery {}: ", verb_name); }

std::string one_line(std::string_view message) {
  std::string line(message);
  for (char& c : line)
    if (c == '\n' || c == '\r') c = ' ';
  while (!line.empty() && line.back() == ' ') line.pop_back();
  return line;
}

}  // namespace

Failure system_failure(std::string_view what, int error_number) {
  return {fmt::format("{}: {}", what, std::strerror(error_number))};
}

void set_verb(std::string_view verb) noexcept { verb_name = verb; }
std::string_view current_verb() noexcept { return verb_name; }

void print_error(std::string_view message) noexcept {
  clear_transient();
  write_stderr(styled(Style::error, prefix(), STDERR_FILENO) + one_line(message) + '\n');
}

void print_warning(std::string_view message) noexcept {
  clear_transient();
  write_stderr(prefix() + styled(Style::warning, "warning:", STDERR_FILENO) + ' ' + one_line(message) + '\n');
}

void print_note(std::string_view text) noexcept {
  clear_transient();
  write_stderr(std::string(text) + '\n');
}

void print_text(int fd, std::string_view text) {
  clear_transient();
  Output out(fd);
  out.line(text);
  out.flush();
}

void print_json(int fd, const Json& value) {
  // File names are bytes; what is not UTF-8 in them shows as U+FFFD.
  print_text(fd, value.dump(2, ' ', false, Json::error_handler_t::replace));
}

std::string grouped(std::uint64_t number) {
  std::string digits = std::to_string(number);
  for (std::size_t at = digits.size(); at > 3;) digits.insert(at -= 3, 1, ',');
  return digits;
}

std::string human_bytes(std::uint64_t bytes) {
  static constexpr std::array<std::string_view, 6> kUnits = {"KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  if (bytes < 1024) return fmt::format("{} bytes", bytes);
  double value = static_cast<double>(bytes) / 1024;
  std::size_t unit = 0;
  for (; value >= 1024 && unit + 1 < kUnits.size(); ++unit) value /= 1024;
  return fmt::format("{:.2f} {}", value, kUnits[unit]);
}

std::string size_argument(std::uint64_t bytes) {
  constexpr std::uint64_t kK = 1024, kM = kK * kK;
  if (bytes >= 10 * kM) return fmt::format("{}M", (bytes + kM - 1) / kM);
  return fmt::format("{}K", (bytes + kK - 1) / kK);
}

std::string short_number(double number) { return fmt::format("{:.3g}", number); }

}  // namespace cli
