// How far a verb has come: lines, share of the input, rate and time left, on stderr.
#pragma once
#include <chrono>
#include <cstdint>
#include <string>

namespace cli {

struct ProgressOptions {
  bool forced = false;        // --progress
  bool quiet = false;         // never
  bool prints_lines = false;  // on stdout, which a progress line would garble if it is a terminal too
};

// Shown on a terminal a few times a second, in a line that is written over; where it is forced on
// something else, as a line of its own every second.
class Progress {
 public:
  explicit Progress(const ProgressOptions& options);
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  ~Progress();

  // share_read: of the input; 0 if nobody knows.
  void add(std::uint64_t lines, double share_read = 0);
  std::uint64_t lines() const noexcept { return lines_; }
  double seconds() const noexcept;  // since the start
  double lines_per_second() const noexcept;

 private:
  using Clock = std::chrono::steady_clock;
  void show(Clock::time_point now, double share_read);

  bool wanted_;
  bool on_terminal_;
  std::uint64_t lines_ = 0;
  Clock::time_point start_ = Clock::now();
  Clock::time_point next_;
};

// "12,345,678 lines, 42%, 3.21 M lines/s, 0:07 left". share_read as above.
std::string progress_text(std::uint64_t lines, double seconds, double share_read);

// 7 -> "0:07", 3723 -> "1:02:03"
std::string clock_time(double seconds);

}  // namespace cli
