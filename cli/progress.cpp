#include "cli/progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>

#include "cli/report.hpp"
#include "cli/terminal.hpp"

namespace cli {
namespace {

constexpr std::chrono::milliseconds kBetweenOnTerminal{250}, kBetweenLines{1000};

bool is_wanted(const ProgressOptions& options, bool on_terminal) {
  if (options.quiet || options.forced) return options.forced && !options.quiet;
  return on_terminal && !(options.prints_lines && ::isatty(STDOUT_FILENO) == 1);
}

std::string rate_text(double lines_per_second) {
  if (lines_per_second < 1e4) return fmt::format("{:.0f} lines/s", lines_per_second);
  if (lines_per_second < 1e6) return fmt::format("{:.0f} K lines/s", lines_per_second / 1e3);
  return fmt::format("{:.2f} M lines/s", lines_per_second / 1e6);
}

}  // namespace

std::string clock_time(double seconds) {
  constexpr double kMost = 100 * 3600 - 1;
  const auto whole = static_cast<std::uint64_t>(std::clamp(std::ceil(seconds), 0.0, kMost));
  const std::uint64_t hours = whole / 3600, minutes = whole / 60 % 60;
  if (hours > 0) return fmt::format("{}:{:02}:{:02}", hours, minutes, whole % 60);
  return fmt::format("{}:{:02}", minutes, whole % 60);
}

std::string progress_text(std::uint64_t lines, double seconds, double share_read) {
  const std::string rate = rate_text(seconds > 0 ? static_cast<double>(lines) / seconds : 0);
  if (!(share_read > 0)) return fmt::format("{} lines, {}", grouped(lines), rate);
  const double left = seconds * (1 - share_read) / share_read;
  return fmt::format("{} lines, {:.0f}%, {}, {} left", grouped(lines), std::floor(100 * share_read), rate,
                     clock_time(left));
}

Progress::Progress(const ProgressOptions& options)
    : wanted_(is_wanted(options, ::isatty(STDERR_FILENO) == 1)),
      on_terminal_(::isatty(STDERR_FILENO) == 1),
      next_(start_ + (on_terminal_ ? kBetweenOnTerminal : kBetweenLines)) {}

Progress::~Progress() { clear_transient(); }

void Progress::add(std::uint64_t lines, double share_read) {
  lines_ += lines;
  if (!wanted_) return;
  const auto now = Clock::now();
  if (now >= next_) show(now, share_read);
}

double Progress::seconds() const noexcept { return std::chrono::duration<double>(Clock::now() - start_).count(); }

double Progress::lines_per_second() const noexcept {
  const double elapsed = seconds();
  return elapsed > 0 ? static_cast<double>(lines_) / elapsed : 0;
}

void Progress::show(Clock::time_point now, double share_read) {
  const std::string text = progress_text(lines_, std::chrono::duration<double>(now - start_).count(), share_read);
  next_ = now + (on_terminal_ ? kBetweenOnTerminal : kBetweenLines);
  if (on_terminal_)
    show_transient(styled(Style::faint, text, STDERR_FILENO));
  else
    print_note(text);
}

}  // namespace cli
