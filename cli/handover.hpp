// From one thread to another, in order.
#pragma once
#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>
#include <utility>

namespace cli {

template <class T>
class Handover {
 public:
  void give(T value) {
    {
      const std::lock_guard lock(mutex_);
      waiting_.push_back(std::move(value));
    }
    changed_.notify_one();
  }

  // Nothing more will be given: what waits can still be taken.
  void close() {
    {
      const std::lock_guard lock(mutex_);
      closed_ = true;
    }
    changed_.notify_all();
  }

  // Waits for the next one; none after close(), when all have been taken.
  std::optional<T> take() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return closed_ || !waiting_.empty(); });
    if (waiting_.empty()) return {};
    std::optional<T> value(std::move(waiting_.front()));
    waiting_.pop_front();
    return value;
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<T> waiting_;
  bool closed_ = false;
};

}  // namespace cli
