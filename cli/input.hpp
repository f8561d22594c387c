// Bytes in: files and standard input, in blocks, cut into lines.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/decompress.hpp"

namespace cli {

// A descriptor that closes itself, unless it is standard input. What begins as gzip or zstd is unpacked.
class InputFile {
 public:
  explicit InputFile(const std::string& path);  // "-": standard input. Errors: Failure
  InputFile(const InputFile&) = delete;
  InputFile& operator=(const InputFile&) = delete;
  ~InputFile();
  // Waits until something is there; returns what there is, 0 at the end, or when an interrupt came (see
  // cli/interrupt.hpp). Errors: Failure
  std::size_t read(char* to, std::size_t capacity);

  // How many bytes of the file itself have been used up; of a compressed one fewer than read() gave.
  std::uint64_t used_bytes() const noexcept { return decoder_ ? decoder_->used_bytes() : used_bytes_; }

 private:
  std::size_t read_raw(char* to, std::size_t capacity);
  std::size_t read_first(char* to, std::size_t capacity);

  std::string path_;
  int fd_;
  bool started_ = false;
  std::uint64_t used_bytes_ = 0;
  std::string first_;  // read to recognise it, not yet handed out
  std::unique_ptr<Decoder> decoder_;
};

// The lines of all inputs, one after the other, in batches.
//
// Any bytes and any length: CR and NUL belong to the line, only the delimiter ends one. Bytes after the
// last delimiter of a file are a line too. A batch holds the lines that are there: the next read happens
// only when they have been handed out, so that a line can go out before more input is needed.
class LineReader {
 public:
  // No paths: standard input. Errors: Failure, for a path that is missing or a directory (before any
  // line is read).
  // Long lines: kept whole in a buffer that grows, or handed out in pieces.
  enum class LongLines { whole, in_pieces };
  explicit LineReader(std::vector<std::string> paths, char delimiter = '\n', LongLines long_lines = LongLines::whole);

  // Up to kMaxBatch lines, valid until the next call; empty at the end of all inputs, at an interrupt
  // (what follows the last delimiter read is then nobody's line), and before a long line that is to be
  // had in pieces. Errors: Failure
  std::span<const std::string_view> next();

  // Does a line come next that is longer than a block? Then: its bytes, piece by piece, each valid until
  // the next call; empty when it is complete, or cut off by an interrupt. Errors: Failure
  bool at_long_line() const noexcept { return in_long_line_; }
  std::string_view next_piece();

  // Will the next batch come without reading? If not, whoever holds output back should let it go.
  bool has_buffered_line() const noexcept { return cut_ < lines_end_; }

  // How much of all inputs has been handed out, up to 1; 0 if nobody can know (pipes, devices).
  double share_read() const noexcept;

  // Can all inputs be read a second time?
  bool rereadable() const;
  const std::vector<std::string>& paths() const noexcept { return paths_; }

  static constexpr std::size_t kMaxBatch = 4096;

 private:
  bool fill();
  bool read_more();
  void find_last_line(std::size_t from) noexcept;
  void make_room();
  void end_of_file();

  static constexpr std::size_t kBlockBytes = std::size_t{1} << 20;
  std::vector<std::string> paths_;
  char delimiter_;
  LongLines long_lines_;
  bool in_long_line_ = false;
  std::size_t next_path_ = 0;
  std::unique_ptr<InputFile> file_;
  std::unique_ptr<char[]> buffer_;
  std::size_t capacity_;
  std::size_t cut_ = 0;        // lines before it have been handed out
  std::size_t lines_end_ = 0;  // whole lines end here
  std::size_t filled_ = 0;     // bytes end here
  std::uint64_t bytes_read_ = 0;       // unpacked
  std::uint64_t bytes_of_ended_ = 0;   // as they are in the files that have been read to their end
  std::uint64_t bytes_in_all_ = 0;  // as the files were at the start; 0: unknown
  std::vector<std::string_view> batch_;
};

// Lines in all of them: an upper bound of the distinct ones. Errors: Failure
std::uint64_t count_lines(const std::vector<std::string>& paths, char delimiter = '\n');

// Is one of the inputs the file that `path` names?
bool is_among(const std::string& path, const std::vector<std::string>& inputs);

}  // namespace cli
