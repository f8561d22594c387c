// Bytes out: a buffered writer that notices every error.
#pragma once
#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace cli {

// What is not flushed when it dies is lost: whoever writes flushes, and so hears of errors.
// A reader that went away ends the program by SIGPIPE, quietly, as it ends cat.
class Output {
 public:
  explicit Output(int fd, std::string name = {});  // name: for messages; standard output if empty
  void line(std::string_view bytes, char end = '\n');
  void bytes(std::string_view bytes) { append(bytes); }
  // The lines whose mark is set, each with the byte behind it.
  // REQUIRES: as many marks; 64 bytes behind each line may be read (LineReader::kSlackBytes).
  void marked_lines(std::span<const std::string_view> lines, std::span<const bool> marks);
  void flush();  // Errors: Failure (a full disk, a closed descriptor)

 private:
  void append(std::string_view bytes);
  void copy_short(const char* from, std::size_t size, bool keep) noexcept;
  void write_all(std::string_view bytes);

  static constexpr std::size_t kBufferBytes = std::size_t{256} << 10;
  static constexpr std::size_t kCopyStep = 64;
  static constexpr std::size_t kShortBytes = 256;
  int fd_;
  std::string name_;
  std::unique_ptr<char[]> buffer_ = std::make_unique<char[]>(kBufferBytes + kCopyStep);
  std::size_t used_ = 0;
};

}  // namespace cli
