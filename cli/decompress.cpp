#include "cli/decompress.hpp"

#include <fmt/format.h>
#include <zlib.h>
#include <zstd.h>
#include <zstd_errors.h>

#include <algorithm>
#include <array>
#include <new>
#include <utility>

#include "cli/interrupt.hpp"
#include "cli/report.hpp"

namespace cli {
namespace {

constexpr std::size_t kBlockBytes = std::size_t{128} << 10;

bool decompresses = true;

// Compressed bytes, a block at a time.
class Block {
 public:
  Block(std::string name, Decoder::Source source) : name_(std::move(name)), source_(std::move(source)) {}

  // The next block; false at the end, or when an interrupt came. REQUIRES: the last one is used up.
  bool refill() {
    size_ = source_(bytes_.get(), kBlockBytes);
    read_ += size_;
    return size_ > 0;
  }
  const char* data() const noexcept { return bytes_.get(); }
  std::size_t size() const noexcept { return size_; }
  std::uint64_t read() const noexcept { return read_; }

  [[noreturn]] void fail(std::string_view what) const { throw Failure{fmt::format("{}: {}", name_, what)}; }
  // The bytes ended inside of something; an interrupt is no error.
  void fail_cut_short(std::string_view format) const {
    if (interrupt_signal() == 0) fail(fmt::format("the {} data is cut short: the end is missing", format));
  }

 private:
  std::string name_;
  Decoder::Source source_;
  std::unique_ptr<char[]> bytes_ = std::make_unique_for_overwrite<char[]>(kBlockBytes);
  std::size_t size_ = 0;
  std::uint64_t read_ = 0;
};

class GzipDecoder : public Decoder {
 public:
  GzipDecoder(std::string name, Source source) : block_(std::move(name), std::move(source)) {
    constexpr int kGzipOnly = 16;
    if (::inflateInit2(&stream_, MAX_WBITS + kGzipOnly) != Z_OK) throw std::bad_alloc();
  }
  GzipDecoder(const GzipDecoder&) = delete;
  GzipDecoder& operator=(const GzipDecoder&) = delete;
  ~GzipDecoder() override { ::inflateEnd(&stream_); }

  std::uint64_t used_bytes() const noexcept override { return block_.read() - stream_.avail_in; }

  std::size_t read(char* to, std::size_t capacity) override {
    const auto room = static_cast<uInt>(std::min<std::size_t>(capacity, 1U << 30));
    stream_.next_out = reinterpret_cast<Bytef*>(to);
    stream_.avail_out = room;
    while (stream_.avail_out == room) {
      if (stream_.avail_in == 0 && !more_inside_ && !refill()) return 0;
      if (between_members_ && skip_padding()) continue;
      inflate_some();
    }
    return room - stream_.avail_out;
  }

 private:
  bool refill() {
    const bool more = block_.refill();
    stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(block_.data()));
    stream_.avail_in = static_cast<uInt>(block_.size());
    if (!more && !between_members_) block_.fail_cut_short("gzip");
    return more;
  }

  // Is nothing left of this block?
  bool skip_padding() {
    while (stream_.avail_in > 0 && *stream_.next_in == 0) {
      padding_ = true;
      ++stream_.next_in;
      --stream_.avail_in;
    }
    if (stream_.avail_in == 0) return true;
    if (padding_) block_.fail("something follows the gzip data and its padding");
    return false;
  }

  void inflate_some() {
    const bool at_header = std::exchange(between_members_, false) && any_member_;
    const int result = ::inflate(&stream_, Z_NO_FLUSH);
    more_inside_ = stream_.avail_out == 0 && result == Z_OK;
    if (result == Z_STREAM_END) {
      between_members_ = any_member_ = true;
      ::inflateReset(&stream_);
    } else if (result == Z_MEM_ERROR) {
      throw std::bad_alloc();
    } else if (result != Z_OK && result != Z_BUF_ERROR) {  // Z_BUF_ERROR: it only needs more bytes
      if (at_header) block_.fail("something that is not gzip follows the gzip data");
      block_.fail(fmt::format("the gzip data is damaged ({})", stream_.msg != nullptr ? stream_.msg : "inflate"));
    }
  }

  Block block_;
  z_stream stream_ = {};
  bool more_inside_ = false;  // the last call filled the room it had
  bool between_members_ = true;
  bool any_member_ = false;
  bool padding_ = false;
};

class ZstdDecoder : public Decoder {
 public:
  ZstdDecoder(std::string name, Source source)
      : block_(std::move(name), std::move(source)), context_(::ZSTD_createDCtx(), ::ZSTD_freeDCtx) {
    if (!context_) throw std::bad_alloc();
    ::ZSTD_DCtx_setParameter(context_.get(), ZSTD_d_windowLogMax, static_cast<int>(kLargestWindowLog));
  }

  std::uint64_t used_bytes() const noexcept override { return block_.read() - (in_.size - in_.pos); }

  std::size_t read(char* to, std::size_t capacity) override {
    ZSTD_outBuffer out = {to, capacity, 0};
    while (out.pos == 0) {
      if (in_.pos == in_.size && !more_inside_ && !refill()) return 0;
      const std::size_t result = ::ZSTD_decompressStream(context_.get(), &out, &in_);
      if (::ZSTD_isError(result) != 0) fail(result);
      between_frames_ = result == 0;
      more_inside_ = out.pos == out.size && result != 0;
    }
    return out.pos;
  }

 private:
  bool refill() {
    const bool more = block_.refill();
    in_ = {block_.data(), block_.size(), 0};
    if (!more && !between_frames_) block_.fail_cut_short("zstd");
    return more;
  }

  [[noreturn]] void fail(std::size_t result) const {
    switch (::ZSTD_getErrorCode(result)) {
      case ZSTD_error_memory_allocation: throw std::bad_alloc();
      case ZSTD_error_frameParameter_windowTooLarge:
        block_.fail(fmt::format("the zstd data needs a window of more than {}; unpack it before: zstd -dc --long=31",
                                human_bytes(kLargestWindowBytes)));
      case ZSTD_error_prefix_unknown: block_.fail("something that is not zstd follows the zstd data");
      default: block_.fail(fmt::format("the zstd data is damaged ({})", ::ZSTD_getErrorName(result)));
    }
  }

  Block block_;
  std::unique_ptr<ZSTD_DCtx, std::size_t (*)(ZSTD_DCtx*)> context_;
  ZSTD_inBuffer in_ = {nullptr, 0, 0};
  bool more_inside_ = false;  // the last call filled the room it had
  bool between_frames_ = true;
};

}  // namespace

Recognised recognise(std::string_view first_bytes) noexcept {
  using namespace std::string_view_literals;
  struct Magic {
    std::string_view bytes;
    unsigned char first_mask;
    Compression compression;
  };
  static constexpr std::array kMagics = {
      Magic{"\x1f\x8b\x08"sv, 0xff, Compression::gzip},      // with deflate, the only method there is
      Magic{"\x28\xb5\x2f\xfd"sv, 0xff, Compression::zstd},
      Magic{"\x50\x2a\x4d\x18"sv, 0xf0, Compression::zstd},  // a skippable frame, as parallel packers begin with
  };
  Recognised result = {true, Compression::none};
  for (const Magic& magic : kMagics) {
    const std::size_t size = std::min(first_bytes.size(), magic.bytes.size());
    bool equal = true;
    for (std::size_t i = 0; i < size && equal; ++i) {
      const unsigned mask = i == 0 ? magic.first_mask : 0xffU;
      equal = (static_cast<unsigned char>(first_bytes[i]) & mask) == static_cast<unsigned char>(magic.bytes[i]);
    }
    if (equal && size == magic.bytes.size()) return {true, magic.compression};
    if (equal) result.decided = false;
  }
  return result;
}

void take_input_as_it_is() noexcept { decompresses = false; }
bool input_is_decompressed() noexcept { return decompresses; }

std::unique_ptr<Decoder> Decoder::make(Compression compression, std::string name, Source source) {
  if (compression == Compression::gzip) return std::make_unique<GzipDecoder>(std::move(name), std::move(source));
  return std::make_unique<ZstdDecoder>(std::move(name), std::move(source));
}

}  // namespace cli
