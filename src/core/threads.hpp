// The same work in several threads at once.
#pragma once
#include <algorithm>
#include <array>
#include <exception>
#if !defined(__wasm__) || defined(__wasm_atomics__)
#include <thread>
#define BLOOMERY_HAS_THREADS
#endif

namespace bloomery {

inline constexpr unsigned kMaxThreads = 64;

#if defined(BLOOMERY_HAS_THREADS)

// A wish for threads as a number of them: 0 stands for one for each processor.
inline unsigned thread_count(unsigned wished) noexcept {
  return std::clamp(wished == 0 ? std::thread::hardware_concurrency() : wished, 1u, kMaxThreads);
}

// work(t) for each t < threads, at the same time; returns when all are done. What the system has no thread for,
// this one does. REQUIRES: threads <= kMaxThreads; work(t) does not throw.
template <class Work>
void in_threads(unsigned threads, const Work& work) noexcept {
  std::array<std::thread, kMaxThreads> others;
  for (unsigned t = 1; t < threads; ++t) {
    try {
      others[t] = std::thread([&work, t] { work(t); });
    } catch (const std::exception&) {
      work(t);
    }
  }
  work(0);
  for (std::thread& other : others)
    if (other.joinable()) other.join();
}

#else  // WebAssembly: one thread does it all

inline unsigned thread_count(unsigned) noexcept { return 1; }

template <class Work>
void in_threads(unsigned threads, const Work& work) noexcept {
  for (unsigned t = 0; t < threads; ++t) work(t);
}

#endif

}  // namespace bloomery
