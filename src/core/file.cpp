#include "core/file.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>

namespace bloomery::core {

namespace fs = std::filesystem;

std::string printable(const fs::path& path) {
  std::string text = path.string();
  std::replace_if(text.begin(), text.end(), [](unsigned char c) { return c < 0x20 || c == 0x7F; }, '?');
  return text;
}

Error io_error(std::string_view operation, const fs::path& path, int error) {
  std::string why = std::generic_category().message(error);
  if (error == ENOSPC) why = "the disk is full (" + why + ")";
  if (error == EDQUOT) why = "the disk quota is used up (" + why + ")";
  if (error == EFBIG) why = "larger than the file size limit allows (" + why + ")";
  return {Errc::io, "cannot " + std::string(operation) + " " + printable(path) + ": " + why};
}

fs::path name_of(int fd) {
  const std::string number = std::to_string(fd);
  std::error_code error;
  const fs::path target = fs::read_symlink("/proc/self/fd/" + number, error);
  if (!error && target.is_absolute()) return target;
  return fd == STDOUT_FILENO ? "standard output" : "descriptor " + number;
}

Fd& Fd::operator=(Fd&& other) noexcept {
  if (this != &other) {
    close();
    fd_ = std::exchange(other.fd_, -1);
  }
  return *this;
}

Fd::~Fd() { close(); }

int Fd::close() noexcept {
  if (fd_ < 0) return 0;
  return ::close(std::exchange(fd_, -1)) == 0 ? 0 : errno;
}

Result<OpenFile> open_regular(const fs::path& path) {
  // O_NONBLOCK: a pipe without a writer must not hold us up until we see what it is.
  Fd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (!fd) return io_error("open", path, errno);
  struct stat info {};
  if (::fstat(fd.get(), &info) != 0) return io_error("examine", path, errno);
  if (S_ISDIR(info.st_mode)) return io_error("open", path, EISDIR);
  if (!S_ISREG(info.st_mode))
    return Error{Errc::io, "cannot open " + printable(path) + ": not a regular file; copy its bytes to one first"};
  return OpenFile{std::move(fd), static_cast<std::uint64_t>(info.st_size)};
}

int read_at(int fd, std::uint64_t offset, Bytes out) noexcept {
  while (!out.empty()) {
    const ssize_t got = ::pread(fd, out.data(), out.size(), static_cast<off_t>(offset));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return errno;
    if (got == 0) return kEndOfFile;
    offset += static_cast<std::uint64_t>(got);
    out = out.subspan(static_cast<std::size_t>(got));
  }
  return 0;
}

int write_all(int fd, ConstBytes bytes) noexcept {
  while (!bytes.empty()) {
    const ssize_t put = ::write(fd, bytes.data(), bytes.size());
    if (put >= 0) {
      bytes = bytes.subspan(static_cast<std::size_t>(put));
    } else if (errno == EAGAIN || errno == EWOULDBLOCK) {
      pollfd ready{fd, POLLOUT, 0};
      if (::poll(&ready, 1, -1) < 0 && errno != EINTR) return errno;
    } else if (errno != EINTR) {
      return errno;
    }
  }
  return 0;
}

Result<Mapping> Mapping::map(const OpenFile& file, const fs::path& path) {
  void* start = ::mmap(nullptr, file.size_bytes, PROT_READ, MAP_SHARED, file.fd.get(), 0);
  if (start == MAP_FAILED) return io_error("map", path, errno);
  // No madvise. MADV_HUGEPAGE makes the kernel read 2 MiB for each page first touched: a thousand lookups in a
  // cold file cost gigabytes. MADV_RANDOM would take the read-ahead from those who read it from end to end,
  // and lookups at random turn it off by themselves after a hundred misses.
  return Mapping(ConstBytes(static_cast<const std::byte*>(start), file.size_bytes));
}

Mapping::~Mapping() {
  if (!bytes_.empty()) ::munmap(const_cast<std::byte*>(bytes_.data()), bytes_.size());
}

Result<fs::path> resolve_links(const fs::path& path) {
  constexpr int kMaxLinks = 40;  // as the kernel
  fs::path target = path;
  for (int i = 0; i < kMaxLinks; ++i) {
    std::error_code error;
    const fs::path next = fs::read_symlink(target, error);
    if (error) return target;  // not a link, or nothing there
    target = next.is_absolute() ? next : target.parent_path() / next;
  }
  return io_error("follow", path, ELOOP);
}

}  // namespace bloomery::core
