// Lines, batch by batch, through several threads and out again in their order.
#pragma once
#include <condition_variable>
#include <exception>
#include <mutex>
#include <span>
#include <string_view>
#include <system_error>
#include <thread>
#include <vector>

#include "cli/input.hpp"

namespace cli {

// One batch of lines, with their bytes: the reader's own last until its next batch only.
class LineBatch {
 public:
  void copy(std::span<const std::string_view> lines);
  std::span<const std::string_view> lines() const noexcept { return lines_; }

 private:
  std::vector<char> bytes_;
  std::vector<std::string_view> lines_;
};

// Hands the reader's batches to threads and lets them finish one after the other, in the order of the input.
class InOrder {
 public:
  explicit InOrder(LineReader& reader) noexcept : reader_(reader) {}

  // Until the input ends: prepare(t, lines) in thread t < threads, at the same time as other threads; then
  // finish(t, lines, more) when it is the batch's turn, one at a time. more: the next batch will come without
  // waiting. Memory: one batch for each thread. Errors: what the first of them to fail has thrown.
  template <class Prepare, class Finish>
  void run(unsigned threads, Prepare prepare, Finish finish);

  // Within finish: how much of the input its batch and those before it are, as LineReader says it.
  double share_read() const noexcept { return share_read_; }

 private:
  struct Batch {
    LineBatch copy;
    std::uint64_t number = 0;
    bool more = false;
    double share_read = 0;
  };

  bool take(Batch& batch);
  bool await_turn(const Batch& batch);
  void end_turn();
  void fail(std::exception_ptr why) noexcept;

  template <class Prepare, class Finish>
  void work(unsigned t, Prepare& prepare, Finish& finish) noexcept;

  LineReader& reader_;
  std::mutex reading_;         // reader_, taken_
  std::uint64_t taken_ = 0;
  std::mutex finishing_;       // what follows
  std::condition_variable next_turn_;
  std::uint64_t finished_ = 0;
  double share_read_ = 0;      // written by the thread whose turn it is
  std::exception_ptr failure_;
};

template <class Prepare, class Finish>
void InOrder::run(unsigned threads, Prepare prepare, Finish finish) {
  if (threads == 1) {  // needs no copies
    for (auto lines = reader_.next(); !lines.empty(); lines = reader_.next()) {
      prepare(0U, lines);
      share_read_ = reader_.share_read();
      finish(0U, lines, reader_.has_buffered_line());
    }
    return;
  }
  std::vector<std::thread> others;
  others.reserve(threads);
  try {
    for (unsigned t = 1; t < threads; ++t) others.emplace_back([&, t] { work(t, prepare, finish); });
  } catch (const std::system_error&) {
    // The system has no more: fewer will do.
  }
  work(0, prepare, finish);
  for (std::thread& other : others) other.join();
  if (failure_) std::rethrow_exception(failure_);
}

template <class Prepare, class Finish>
void InOrder::work(unsigned t, Prepare& prepare, Finish& finish) noexcept {
  try {
    Batch batch;
    while (take(batch)) {
      prepare(t, batch.copy.lines());
      if (!await_turn(batch)) return;
      share_read_ = batch.share_read;
      finish(t, batch.copy.lines(), batch.more);
      end_turn();
    }
  } catch (...) {
    fail(std::current_exception());
  }
}

}  // namespace cli
