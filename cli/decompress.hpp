// Compressed input: gzip and zstd, told by their first bytes, read as what they hold.
#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace cli {

enum class Compression { none, gzip, zstd };

// What the first bytes of an input say. Undecided: they may be the start of a magic number.
struct Recognised {
  bool decided;
  Compression compression;
};
Recognised recognise(std::string_view first_bytes) noexcept;

// From now on input is taken as it is, whatever its first bytes are.
void take_input_as_it_is() noexcept;
bool input_is_decompressed() noexcept;

// Makes plain bytes of compressed ones. Several gzip members or zstd frames on end are read as one; zeros
// after the last gzip member are padding.
// Memory: gzip little; zstd the window that the data asks for, at most kLargestWindowBytes.
class Decoder {
 public:
  // Fills in bytes; returns how many, 0 at the end of the input, or when an interrupt came. Errors: Failure
  using Source = std::function<std::size_t(char* to, std::size_t capacity)>;
  static constexpr unsigned kLargestWindowLog = 27;  // what zstd itself accepts without being told
  static constexpr std::size_t kLargestWindowBytes = std::size_t{1} << kLargestWindowLog;

  // name: of the input, for messages. REQUIRES: compression != none.
  static std::unique_ptr<Decoder> make(Compression compression, std::string name, Source source);
  virtual ~Decoder() = default;

  // Some bytes as soon as there are some; 0 at the end, or when an interrupt came.
  // Errors: Failure: damaged, cut short, or a window that is too large.
  virtual std::size_t read(char* to, std::size_t capacity) = 0;

  // How many compressed bytes have been used up.
  virtual std::uint64_t used_bytes() const noexcept = 0;
};

}  // namespace cli
