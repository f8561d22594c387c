// Files as the operating system has them: descriptors, whole reads and writes, read-only mappings.
#pragma once
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>

#include "bloomery/bits.hpp"
#include "bloomery/result.hpp"

namespace bloomery::core {

// A path for a message: one line, whatever bytes are in it.
std::string printable(const std::filesystem::path& path);

// "cannot OPERATION PATH: what errno says"; full disks are named in plain words.
Error io_error(std::string_view operation, const std::filesystem::path& path, int error);

// Owns a descriptor.
class Fd {
 public:
  explicit Fd(int fd = -1) noexcept : fd_(fd) {}
  Fd(Fd&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  Fd& operator=(Fd&& other) noexcept;
  ~Fd();
  int get() const noexcept { return fd_; }
  explicit operator bool() const noexcept { return fd_ >= 0; }
  // Closes now and says what the system said: 0 or errno.
  int close() noexcept;
  int release() noexcept { return std::exchange(fd_, -1); }

 private:
  int fd_;
};

struct OpenFile {
  Fd fd;
  std::uint64_t size_bytes = 0;
};

// The file behind a descriptor, for a message; pipes and sockets have no name.
std::filesystem::path name_of(int fd);

// For reading. Errors: io; also for what is not a regular file.
Result<OpenFile> open_regular(const std::filesystem::path& path);

inline constexpr int kEndOfFile = -1;
// Fills `out` from `offset`. Gives 0, errno, or kEndOfFile when the file ends before.
int read_at(int fd, std::uint64_t offset, Bytes out) noexcept;
// Writes all of it, also through signals, short writes and descriptors that do not block. Gives 0 or errno.
int write_all(int fd, ConstBytes bytes) noexcept;

// A read-only mapping of a whole file, shared with every process that maps it.
class Mapping {
 public:
  // REQUIRES: size_bytes > 0.
  static Result<Mapping> map(const OpenFile& file, const std::filesystem::path& path);
  Mapping(Mapping&& other) noexcept : bytes_(std::exchange(other.bytes_, {})) {}
  Mapping& operator=(Mapping&&) = delete;
  ~Mapping();
  ConstBytes bytes() const noexcept { return bytes_; }

 private:
  explicit Mapping(ConstBytes bytes) noexcept : bytes_(bytes) {}
  ConstBytes bytes_;
};

// Where writing to `path` should write: symlinks followed, also one whose target does not exist yet.
// Errors: io (a loop).
Result<std::filesystem::path> resolve_links(const std::filesystem::path& path);

}  // namespace bloomery::core
