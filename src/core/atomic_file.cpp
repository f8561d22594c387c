#include "core/atomic_file.hpp"

#include <fcntl.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <string>

namespace bloomery::core {

namespace fs = std::filesystem;

namespace {

std::string temporary_name(const fs::path& target) {
  constexpr std::size_t kKeptBytes = 200;  // with ours within NAME_MAX, 255
  constexpr std::string_view kLetters = "abcdefghijklmnopqrstuvwxyz234567";
  std::array<unsigned char, 6> random{};
  if (::getrandom(random.data(), random.size(), 0) != static_cast<ssize_t>(random.size())) random.fill(0);
  std::string name = "." + target.filename().string().substr(0, kKeptBytes) + ".";
  for (const unsigned char byte : random) name += kLetters[byte % kLetters.size()];
  return name + ".tmp";
}

fs::path folder_of(const fs::path& target) { return target.has_parent_path() ? target.parent_path() : "."; }

}  // namespace

Result<AtomicFile> AtomicFile::create(const fs::path& path) {
  AtomicFile file;
  auto target = resolve_links(path);
  if (!target) return target.error();
  file.target_ = std::move(*target);
  if (!file.target_.has_filename()) return io_error("write", path, file.target_.empty() ? ENOENT : EISDIR);
  if (auto made = file.create_temporary(); !made) return made.error();
  return file;
}

Result<void> AtomicFile::create_temporary() {
  struct stat old {};
  const bool exists = ::stat(target_.c_str(), &old) == 0;
  if (exists && S_ISDIR(old.st_mode)) return io_error("write", target_, EISDIR);
  if (exists && !S_ISREG(old.st_mode))
    return Error{Errc::io, "cannot replace " + printable(target_) +
                               ": not a regular file; open it and stream to the descriptor instead"};
  // A folder that may be written but not read cannot be opened; then it is not synced.
  folder_ = Fd(::open(folder_of(target_).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  constexpr int kAttempts = 100;
  for (int i = 0; i < kAttempts && !file_; ++i) {
    temporary_ = folder_of(target_) / temporary_name(target_);
    file_ = Fd(::open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666));
    if (!file_ && errno != EEXIST) break;
  }
  if (!file_) {
    const int error = errno;
    temporary_.clear();
    return io_error("make a temporary file beside", target_, error);
  }
  return exists ? take_over_mode() : Result<void>{};
}

Result<void> AtomicFile::take_over_mode() {
  struct stat old {};
  if (::stat(target_.c_str(), &old) != 0) return {};
  // Keeping the owner needs privileges: where they are absent the file becomes the writer's.
  if (::fchown(file_.get(), old.st_uid, old.st_gid) != 0) errno = 0;
  if (::fchmod(file_.get(), old.st_mode & 07777) != 0) return failure(errno);
  return {};
}

AtomicFile::AtomicFile(AtomicFile&& other) noexcept
    : target_(std::move(other.target_)),
      temporary_(std::exchange(other.temporary_, {})),
      folder_(std::move(other.folder_)),
      file_(std::move(other.file_)) {}

AtomicFile::~AtomicFile() {
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

Error AtomicFile::failure(int error) const { return io_error("write", target_, error); }

Result<void> AtomicFile::append(ConstBytes bytes) {
  if (const int error = write_all(file_.get(), bytes); error != 0) return failure(error);
  return {};
}

Result<void> AtomicFile::commit() {
  if (::fsync(file_.get()) != 0) return failure(errno);
  if (const int error = file_.close(); error != 0) return failure(error);
  if (::rename(temporary_.c_str(), target_.c_str()) != 0) return failure(errno);
  temporary_.clear();
  if (folder_ && ::fsync(folder_.get()) != 0 && errno != EINVAL) {
    Error error = io_error("sync the folder of", target_, errno);
    error.message += "; the new file is in place, but may not survive a power failure";
    return error;
  }
  return {};
}

}  // namespace bloomery::core
