#include "cli/input.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "cli/interrupt.hpp"
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

// The bytes of all files; 0 if one of them is a pipe or a device.
std::uint64_t total_bytes(const std::vector<std::string>& paths) {
  std::uint64_t sum = 0;
  for (const std::string& path : paths) {
    struct stat status;
    if (!status_of(path, status) || !S_ISREG(status.st_mode)) return 0;
    sum += static_cast<std::uint64_t>(status.st_size);
  }
  return sum;
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
  if (!started_) return read_first(to, capacity);
  if (decoder_) return decoder_->read(to, capacity);
  const std::size_t n = read_raw(to, capacity);
  used_bytes_ += n;
  return n;
}

// Looks at as many bytes as it takes to know what this is: of text hardly ever more than the first.
std::size_t InputFile::read_first(char* to, std::size_t capacity) {
  started_ = true;
  std::size_t size = 0;
  Recognised what = {!input_is_decompressed(), Compression::none};
  do {
    const std::size_t n = read_raw(to + size, capacity - size);
    size += n;
    if (n == 0) break;
    if (input_is_decompressed()) what = recognise({to, size});
  } while (!what.decided);
  used_bytes_ = size;
  if (what.compression == Compression::none) return size;
  first_.assign(to, size);
  decoder_ = Decoder::make(what.compression, path_, [this](char* into, std::size_t room) {
    if (first_.empty()) return read_raw(into, room);
    const std::size_t n = first_.copy(into, room);
    first_.erase(0, n);
    return n;
  });
  return decoder_->read(to, capacity);
}

std::size_t InputFile::read_raw(char* to, std::size_t capacity) {
  for (;;) {
    if (!wait_readable(fd_)) return 0;
    const ssize_t n = ::read(fd_, to, capacity);
    if (n >= 0) return static_cast<std::size_t>(n);
    if (errno != EINTR) throw system_failure(path_, errno);
  }
}

LineReader::LineReader(std::vector<std::string> paths, char delimiter, LongLines long_lines)
    : paths_(std::move(paths)),
      delimiter_(delimiter),
      long_lines_(long_lines),
      buffer_(std::make_unique_for_overwrite<char[]>(2 * kBlockBytes)),
      capacity_(2 * kBlockBytes) {
  if (paths_.empty()) paths_.emplace_back(kStdin);
  for (const std::string& path : paths_) require_readable(path);
  bytes_in_all_ = total_bytes(paths_);
  batch_.reserve(kMaxBatch);
}

double LineReader::share_read() const noexcept {
  if (bytes_in_all_ == 0 || bytes_read_ == 0) return 0;
  const auto used = static_cast<double>(bytes_of_ended_ + (file_ ? file_->used_bytes() : 0));
  const double handed_out = 1 - static_cast<double>(filled_ - cut_) / static_cast<double>(bytes_read_);
  return std::clamp(used / static_cast<double>(bytes_in_all_) * handed_out, 0.0, 1.0);
}

std::span<const std::string_view> LineReader::next() {
  while (!has_buffered_line())
    if (in_long_line_ || !fill()) return {};
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

// One read, and up to one file's end. False at the end of all inputs, or at an interrupt.
bool LineReader::fill() {
  if (!file_) {
    if (next_path_ == paths_.size() || interrupt_signal() != 0) return false;
    file_ = std::make_unique<InputFile>(paths_[next_path_++]);
  }
  make_room();
  return in_long_line_ || read_more();
}

bool LineReader::read_more() {
  const std::size_t n = file_->read(buffer_.get() + filled_, std::min(kBlockBytes, capacity_ - filled_ - 1));
  if (n == 0) {
    if (interrupt_signal() != 0) return false;
    end_of_file();
    return true;
  }
  filled_ += n;
  bytes_read_ += n;
  find_last_line(filled_ - n);
  return true;
}

void LineReader::find_last_line(std::size_t from) noexcept {
  const void* const last = ::memrchr(buffer_.get() + from, delimiter_, filled_ - from);
  if (last != nullptr) lines_end_ = static_cast<std::size_t>(static_cast<const char*>(last) - buffer_.get()) + 1;
}

std::string_view LineReader::next_piece() {
  if (!in_long_line_) return {};
  if (cut_ == filled_) {
    cut_ = lines_end_ = filled_ = 0;
    const bool more = read_more();
    if (!more || !file_) in_long_line_ = false;
    if (!in_long_line_) return {};
  }
  const char* const from = buffer_.get() + cut_;
  const auto* const stop = static_cast<const char*>(std::memchr(from, delimiter_, filled_ - cut_));
  const std::size_t size = stop == nullptr ? filled_ - cut_ : static_cast<std::size_t>(stop - from);
  cut_ += size;
  if (stop != nullptr) {
    ++cut_;
    in_long_line_ = false;
    lines_end_ = cut_;
    find_last_line(cut_);
  }
  return {from, size};
}

// Moves the unfinished line to the front; if that line fills a block, it is a long one.
void LineReader::make_room() {
  const std::size_t rest = filled_ - cut_;
  if (rest > 0 && cut_ > 0) std::memmove(buffer_.get(), buffer_.get() + cut_, rest);
  cut_ = lines_end_ = 0;
  filled_ = rest;
  if (capacity_ - filled_ > kBlockBytes) return;
  if (long_lines_ == LongLines::in_pieces) {
    in_long_line_ = true;
    return;
  }
  auto larger = std::make_unique_for_overwrite<char[]>(2 * capacity_);
  std::memcpy(larger.get(), buffer_.get(), filled_);
  buffer_ = std::move(larger);
  capacity_ *= 2;
}

// A last line without its delimiter is complete: it gets one.
void LineReader::end_of_file() {
  bytes_of_ended_ += file_->used_bytes();
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
