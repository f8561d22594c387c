#include "cli/in_order.hpp"

#include <cstring>

namespace cli {

// The lines of a batch lie one after the other, a delimiter between two: one copy moves them all.
void LineBatch::copy(std::span<const std::string_view> lines) {
  const char* const from = lines.front().data();
  const auto size = static_cast<std::size_t>(lines.back().data() + lines.back().size() - from);
  if (bytes_.size() < size) bytes_.resize(size);
  if (size > 0) std::memcpy(bytes_.data(), from, size);
  lines_.clear();
  for (const std::string_view line : lines)
    lines_.emplace_back(bytes_.data() + (line.data() - from), line.size());
}

bool InOrder::take(Batch& batch) {
  const std::lock_guard lock(reading_);
  {
    const std::lock_guard failing(finishing_);
    if (failure_) return false;
  }
  const auto lines = reader_.next();
  if (lines.empty()) return false;
  batch.copy.copy(lines);
  batch.more = reader_.has_buffered_line();
  batch.share_read = reader_.share_read();
  batch.number = taken_++;
  return true;
}

bool InOrder::await_turn(const Batch& batch) {
  std::unique_lock lock(finishing_);
  next_turn_.wait(lock, [&] { return failure_ || finished_ == batch.number; });
  return !failure_;
}

void InOrder::end_turn() {
  {
    const std::lock_guard lock(finishing_);
    ++finished_;
  }
  next_turn_.notify_all();
}

void InOrder::fail(std::exception_ptr why) noexcept {
  {
    const std::lock_guard lock(finishing_);
    if (!failure_) failure_ = std::move(why);
  }
  next_turn_.notify_all();
}

}  // namespace cli
