#include "cli/output_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>

#include "cli/report.hpp"

namespace cli {
namespace {

// The file behind symlinks, also where it does not exist yet.
std::string resolved(const std::string& path) {
  constexpr int kMostLinks = 40;
  std::filesystem::path target(path);
  std::error_code error;
  for (int links = 0; links < kMostLinks && std::filesystem::is_symlink(target, error); ++links)
    target = target.parent_path() / std::filesystem::read_symlink(target, error);
  return target.string();
}

mode_t mode_for(const std::string& target) {
  struct stat status;
  if (::stat(target.c_str(), &status) == 0) return status.st_mode & 07777;
  const mode_t mask = ::umask(0);
  ::umask(mask);
  return 0666 & ~mask;
}

bool is_written_directly(const std::string& target) {
  struct stat status;
  if (::stat(target.c_str(), &status) != 0) return false;
  if (S_ISDIR(status.st_mode)) throw system_failure(target, EISDIR);
  return !S_ISREG(status.st_mode);
}

std::string temporary_beside(const std::string& target) {
  const std::filesystem::path path(target);
  return (path.parent_path() / ("." + path.filename().string() + ".XXXXXX.tmp")).string();
}

void sync_folder(const std::string& target) {
  const std::string folder = std::filesystem::path(target).parent_path().string();
  const int fd = ::open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0) return;  // the file has its name; only a power cut could still undo that
  ::fsync(fd);
  ::close(fd);
}

}  // namespace

OutputFile::OutputFile(const std::string& path) : fd_(STDOUT_FILENO) {
  if (path.empty() || path == "-") {
    out_ = std::make_unique<Output>(STDOUT_FILENO);
    return;
  }
  target_ = resolved(path);
  if (is_written_directly(target_)) {
    fd_ = ::open(target_.c_str(), O_WRONLY | O_CLOEXEC);
  } else {
    temporary_ = temporary_beside(target_);
    fd_ = ::mkostemps(temporary_.data(), 4, O_CLOEXEC);
  }
  if (fd_ < 0) {
    temporary_.clear();
    throw system_failure(path, errno);
  }
  if (!temporary_.empty()) ::fchmod(fd_, mode_for(target_));
  out_ = std::make_unique<Output>(fd_, path);
}

OutputFile::~OutputFile() {
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
  if (fd_ != STDOUT_FILENO) ::close(fd_);
}

void OutputFile::publish() {
  out_->flush();
  if (temporary_.empty()) return;
  if (::fsync(fd_) != 0) throw system_failure(target_, errno);
  if (::rename(temporary_.c_str(), target_.c_str()) != 0) throw system_failure(target_, errno);
  temporary_.clear();
  sync_folder(target_);
}

}  // namespace cli
