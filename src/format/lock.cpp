#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

#include "bloomery/file.hpp"
#include "core/file.hpp"
#include "core/guard.hpp"

namespace bloomery {

namespace {

// Existing first: in shared folders kernels refuse O_CREAT on other people's files.
int open_lock_file(const std::filesystem::path& path) noexcept {
  constexpr int kFlags = O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK;
  const int fd = ::open(path.c_str(), kFlags);
  if (fd >= 0 || errno != ENOENT) return fd;
  return ::open(path.c_str(), kFlags | O_CREAT, 0666);
}

}  // namespace

Result<Lock> Lock::acquire(const std::filesystem::path& path) {
  return guarded([&]() -> Result<Lock> {
    auto target = core::resolve_links(path);
    if (!target) return target.error();
    const std::filesystem::path lock_path = target->string() + ".lock";
    core::Fd fd(open_lock_file(lock_path));
    if (!fd) return core::io_error("open the lock file", lock_path, errno);
    while (::flock(fd.get(), LOCK_EX | LOCK_NB) != 0) {
      if (errno == EINTR) continue;
      if (errno != EWOULDBLOCK) return core::io_error("lock", lock_path, errno);
      return Error{Errc::locked, core::printable(path) + " is being updated by another process, which holds " +
                                     core::printable(lock_path) + ": wait for it to end"};
    }
    return Lock(fd.release());
  });
}

Lock::Lock(Lock&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}

Lock& Lock::operator=(Lock&& other) noexcept {
  std::swap(fd_, other.fd_);
  return *this;
}

Lock::~Lock() {
  if (fd_ >= 0) ::close(fd_);
}

}  // namespace bloomery
