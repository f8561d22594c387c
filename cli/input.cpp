#include "cli/input.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "cli/report.hpp"

namespace cli {
namespace {

constexpr std::string_view kStdin = "-";

bool status_of(const std::string& path, struct stat& status) {
  return (path == kStdin ? ::fstat(STDIN_FILENO, &status) : ::stat(path.c_str(), &status)) == 0;
}

// Before hours of work, not after them.
void require_readable(const std::string& path) {
  struct stat status;
  if (!status_of(path, status)) throw system_failure(path, errno);
  if (S_ISDIR(status.st_mode)) throw system_failure(path, EISDIR);
  if (path != kStdin && ::access(path.c_str(), R_OK) != 0) throw system_failure(path, errno);
}

}  // namespace

InputFile::InputFile(const std::string& path)
    : path_(path == kStdin ? "standard input" : path),
      fd_(path == kStdin ? STDIN_FILENO : ::open(path.c_str(), O_RDONLY | O_CLOEXEC)) {
  if (fd_ < 0) throw system_failure(path_, errno);
  ::posix_fadvise(fd_, 0, 0, POSIX_FADV_SEQUENTIAL);  // a hint; pipes refuse it
}

InputFile::~InputFile() {
  if (fd_ != STDIN_FILENO) ::close(fd_);
}

std::size_t InputFile::read(char* to, std::size_t capacity) {
  for (;;) {
    const ssize_t n = ::read(fd_, to, capacity);
    if (n >= 0) return static_cast<std::size_t>(n);
    if (errno != EINTR) throw system_failure(path_, errno);
  }
}

LineReader::LineReader(std::vector<std::string> paths, char delimiter)
    : paths_(std::move(paths)),
      delimiter_(delimiter),
      buffer_(std::make_unique_for_overwrite<char[]>(2 * kBlockBytes)),
      capacity_(2 * kBlockBytes) {
  if (paths_.empty()) paths_.emplace_back(kStdin);
  for (const std::string& path : paths_) require_readable(path);
  batch_.reserve(kMaxBatch);
}

std::span<const std::string_view> LineReader::next() {
  while (!has_buffered_line())
    if (!fill()) return {};
  batch_.clear();
  const char* p = buffer_.get() + cut_;
  const char* const end = buffer_.get() + lines_end_;
  while (p < end && batch_.size() < kMaxBatch) {
    const auto* stop = static_cast<const char*>(std::memchr(p, delimiter_, static_cast<std::size_t>(end - p)));
    batch_.emplace_back(p, static_cast<std::size_t>(stop - p));
    p = stop + 1;
  }
  cut_ = static_cast<std::size_t>(p - buffer_.get());
  return batch_;
}

// One read, and up to one file's end. False at the end of all inputs.
bool LineReader::fill() {
  if (!file_) {
    if (next_path_ == paths_.size()) return false;
    file_ = std::make_unique<InputFile>(paths_[next_path_++]);
  }
  make_room();
  char* const from = buffer_.get() + filled_;
  const std::size_t n = file_->read(from, std::min(kBlockBytes, capacity_ - filled_ - 1));
  if (n == 0) {
    end_of_file();
    return true;
  }
  filled_ += n;
  if (const void* last = ::memrchr(from, delimiter_, n))
    lines_end_ = static_cast<std::size_t>(static_cast<const char*>(last) - buffer_.get()) + 1;
  return true;
}

// Moves the unfinished line to the front, and doubles the buffer when that line needs it.
void LineReader::make_room() {
  const std::size_t rest = filled_ - cut_;
  if (rest > 0 && cut_ > 0) std::memmove(buffer_.get(), buffer_.get() + cut_, rest);
  cut_ = lines_end_ = 0;
  filled_ = rest;
  if (capacity_ - filled_ > kBlockBytes) return;
  auto larger = std::make_unique_for_overwrite<char[]>(2 * capacity_);
  std::memcpy(larger.get(), buffer_.get(), filled_);
  buffer_ = std::move(larger);
  capacity_ *= 2;
}

// A last line without its delimiter is complete: it gets one.
void LineReader::end_of_file() {
  file_.reset();
  if (filled_ == cut_) return;
  buffer_[filled_++] = delimiter_;  // make_room and fill keep one byte free for this
  lines_end_ = filled_;
}

bool LineReader::rereadable() const {
  return std::all_of(paths_.begin(), paths_.end(), [](const std::string& path) {
    struct stat status;
    return path != kStdin && status_of(path, status) && S_ISREG(status.st_mode);
  });
}

std::uint64_t count_lines(const std::vector<std::string>& paths, char delimiter) {
  constexpr std::size_t kBlockBytes = std::size_t{1} << 20;
  const auto block = std::make_unique_for_overwrite<char[]>(kBlockBytes);
  std::uint64_t lines = 0;
  for (const std::string& path : paths) {
    InputFile file(path);
    char last = delimiter;
    while (const std::size_t n = file.read(block.get(), kBlockBytes)) {
      lines += static_cast<std::uint64_t>(std::count(block.get(), block.get() + n, delimiter));
      last = block[n - 1];
    }
    if (last != delimiter) ++lines;
  }
  return lines;
}

bool is_among(const std::string& path, const std::vector<std::string>& inputs) {
  struct stat target;
  if (::stat(path.c_str(), &target) != 0 || !S_ISREG(target.st_mode)) return false;
  return std::any_of(inputs.begin(), inputs.end(), [&](const std::string& input) {
    struct stat status;
    return status_of(input, status) && status.st_dev == target.st_dev && status.st_ino == target.st_ino;
  });
}

}  // namespace cli
