// The clock of the measurements of one part.
#pragma once
#include <ctime>

namespace bloomery {

// What this thread has computed so far, in nanoseconds.
inline double processor_ns() {
  std::timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) * 1e9 + static_cast<double>(now.tv_nsec);
}

}  // namespace bloomery
