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
