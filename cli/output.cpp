#include "cli/output.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "cli/report.hpp"

namespace cli {

Output::Output(int fd, std::string name)
    : fd_(fd),
      name_(!name.empty()         ? std::move(name)
            : fd == STDERR_FILENO ? "standard error"
                                  : "standard output") {}

void Output::line(std::string_view bytes, char end) {
  append(bytes);
  append({&end, 1});
}

void Output::marked_lines(std::span<const std::string_view> lines, std::span<const bool> marks) {
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const std::size_t size = lines[i].size() + 1;
    if (size > kShortBytes) {
      if (marks[i]) append({lines[i].data(), size});
      continue;
    }
    if (size > kBufferBytes - used_) flush();
    copy_short(lines[i].data(), size, marks[i]);
  }
}

// Whether a line is kept is hard to guess, for the processor too: each is copied, and only those that are
// kept move the end of the buffer.
inline void Output::copy_short(const char* from, std::size_t size, bool keep) noexcept {
  char* to = buffer_.get() + used_;
  for (std::size_t i = 0; i < size; i += kCopyStep) std::memcpy(to + i, from + i, kCopyStep);
  used_ += keep ? size : 0;
}

void Output::append(std::string_view bytes) {
  if (bytes.size() > kBufferBytes - used_) {
    flush();
    if (bytes.size() > kBufferBytes) return write_all(bytes);
  }
  if (bytes.empty()) return;
  std::memcpy(buffer_.get() + used_, bytes.data(), bytes.size());
  used_ += bytes.size();
}

void Output::flush() {
  const std::size_t pending = std::exchange(used_, 0);
  write_all({buffer_.get(), pending});
}

void Output::write_all(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t n = ::write(fd_, bytes.data(), bytes.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) throw system_failure(name_, errno);
    bytes.remove_prefix(static_cast<std::size_t>(n));
  }
}

}  // namespace cli
