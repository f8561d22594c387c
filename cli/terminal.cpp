#include "cli/terminal.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <utility>

namespace cli {
namespace {

ColorChoice colors = ColorChoice::automatic;
bool transient = false;  // one is shown

bool is_set(const char* variable) noexcept {
  const char* const value = std::getenv(variable);
  return value != nullptr && *value != '\0';
}

std::string_view start_of(Style style) noexcept {
  switch (style) {
    case Style::error: return "\x1b[1;31m";
    case Style::warning: return "\x1b[1;33m";
    case Style::good: return "\x1b[32m";
    case Style::faint: return "\x1b[2m";
  }
  return "";
}

}  // namespace

std::optional<ColorChoice> color_choice_from_name(std::string_view name) noexcept {
  if (name == "auto") return ColorChoice::automatic;
  if (name == "always") return ColorChoice::always;
  if (name == "never") return ColorChoice::never;
  return std::nullopt;
}

void choose_colors(ColorChoice choice) noexcept { colors = choice; }

bool has_colors(int fd) noexcept {
  if (colors != ColorChoice::automatic) return colors == ColorChoice::always;
  const char* const terminal = std::getenv("TERM");
  return !is_set("NO_COLOR") && terminal != nullptr && std::string_view(terminal) != "dumb" && ::isatty(fd) == 1;
}

std::string styled(Style style, std::string_view text, int fd) {
  if (!has_colors(fd)) return std::string(text);
  return fmt::format("{}{}\x1b[0m", start_of(style), text);
}

void write_stderr(std::string_view text) noexcept {
  while (!text.empty()) {
    const ssize_t n = ::write(STDERR_FILENO, text.data(), text.size());
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return;
    text.remove_prefix(static_cast<std::size_t>(n));
  }
}

void show_transient(std::string_view text) noexcept {
  write_stderr("\r");
  write_stderr(text);
  write_stderr("\x1b[K");
  transient = true;
}

void clear_transient() noexcept {
  if (std::exchange(transient, false)) write_stderr("\r\x1b[K");
}

}  // namespace cli
