// A window of time, as its filter keeps it: which generation is due, whatever the clock says. It is in files.
#pragma once
#include <algorithm>
#include <cstdint>

namespace bloomery::redis {

constexpr long long kEndOfTimeMs = 1LL << 60;  // sums of two such times do not overflow

struct WindowClock {
  std::uint64_t length_ms = 0;   // of a generation; 0: the window is not of time
  std::uint64_t began_ms = 0;    // since 1970, the present generation
  std::uint64_t items = 0;       // added in it
  std::uint64_t most_items = 0;  // added in any so far

  static constexpr std::uint64_t kGenerations = 4;  // of a window
  static constexpr std::uint64_t kMaxSeconds = 4294967295;

  static WindowClock of(std::uint64_t seconds, std::uint64_t now_ms) noexcept {
    return {.length_ms = 1000 / kGenerations * seconds, .began_ms = now_ms};
  }
  std::uint64_t seconds() const noexcept { return length_ms * kGenerations / 1000; }

  // How many generations should have begun by now. A clock that went back forgets nothing.
  std::uint64_t due(long long now_ms) const noexcept {
    const auto now = static_cast<std::uint64_t>(std::max(now_ms, 0LL));
    return length_ms == 0 || now <= began_ms ? 0 : (now - began_ms) / length_ms;
  }
  void turn(std::uint64_t generations) noexcept {
    began_ms += generations * length_ms;
    items = 0;
  }
  void count(std::uint64_t more) noexcept {
    items += more;
    most_items = std::max(most_items, items);
  }
  // May this be what a file says?
  bool sound() const noexcept {
    if (length_ms == 0) return began_ms == 0 && most_items == 0 && items == 0;
    return length_ms <= 1000 / kGenerations * kMaxSeconds && began_ms <= kEndOfTimeMs && items <= most_items &&
           most_items <= kEndOfTimeMs;
  }
};

}  // namespace bloomery::redis
