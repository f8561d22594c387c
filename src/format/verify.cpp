// Reads everything and checks it: chunk sums first, then what the bytes themselves must obey.
#include <algorithm>
#include <functional>

#include "core/checksum.hpp"
#include "format/decode.hpp"
#include "core/guard.hpp"
#include "layout/layouts.hpp"

namespace bloomery {

namespace {

using format::Header;
using format::kChunkBytes;

// Where the bytes come from. Through read(), never a mapping: a failing disk is an error, not a signal.
using ReadAt = std::function<Result<void>(std::uint64_t offset, Bytes out)>;

class Verifier {
 public:
  Verifier(const Header& header, ConstBytes header_bytes, ReadAt read)
      : header_(header), header_bytes_(header_bytes), read_(std::move(read)), block_(kChunkBytes) {}

  Result<void> run() {
    if (auto sums = check_sums(); !sums) return sums;
    std::uint64_t end = header_.header_bytes;
    for (std::size_t i = 0; i < header_.segments.size(); ++i) {
      if (auto padding = check_padding(end, i); !padding) return padding;
      if (auto bytes = check_segment(i); !bytes) return bytes;
      end = header_.offsets[i] + format::segment_bytes(header_.segments[i]);
    }
    return {};
  }

 private:
  Result<void> check_sums() {
    std::uint64_t damaged = 0, first = 0;
    for (std::uint64_t i = 0; i < header_.chunks(); ++i) {
      auto chunk = read(header_.header_bytes + i * kChunkBytes, chunk_end(i) - i * kChunkBytes);
      if (!chunk) return chunk.error();
      if (core::checksum(*chunk, i) != format::stored_sum(header_bytes_, header_, i) && damaged++ == 0) first = i;
    }
    if (damaged == 0) return {};
    std::string message = "chunk " + std::to_string(first) + " (bytes " + std::to_string(first * kChunkBytes) + ".." +
                          std::to_string(chunk_end(first) - 1) + " of the payload) is damaged";
    if (damaged > 1) message += ", and " + std::to_string(damaged - 1) + " more of " + std::to_string(header_.chunks());
    return Error{Errc::corrupt, message + ": restore the file from a copy or build it again"};
  }

  Result<void> check_padding(std::uint64_t from, std::size_t i) {
    auto padding = read(from, header_.offsets[i] - from);
    if (!padding) return padding.error();
    if (std::all_of(padding->begin(), padding->end(), [](std::byte b) { return b == std::byte{0}; })) return {};
    return Error{Errc::corrupt, "the padding before segment " + std::to_string(i) + " is not zero"};
  }

  Result<void> check_segment(std::size_t i) {
    const Shape& shape = header_.segments[i].shape;
    if (shape.kind == Kind::classic || shape.kind == Kind::counting) return check_unused_bits(i, shape);
    if (shape.kind == Kind::exact) return check_order(i, shape);
    if (shape.kind == Kind::windowed) return check_state(i, shape);
    return {};
  }

  Result<void> check_unused_bits(std::size_t i, const Shape& shape) {
    const std::uint64_t bits = shape.cells * shape.cell_bits;
    if (bits % 8 == 0) return {};
    auto last = read(header_.offsets[i] + bits / 8, 1);
    if (!last) return last.error();
    if (std::to_integer<unsigned>((*last)[0]) >> (bits % 8) == 0) return {};
    return Error{Errc::corrupt, "segment " + std::to_string(i) + ": bits beyond its last one are set"};
  }

  // Behind the number of the generation and its sightings.
  Result<void> check_state(std::size_t i, const Shape& shape) {
    constexpr std::uint64_t kUsed = 16;
    auto zeros = read(header_.offsets[i] + Windowed::lines_bytes(shape) + kUsed, Windowed::kStateBytes - kUsed);
    if (!zeros) return zeros.error();
    if (std::all_of(zeros->begin(), zeros->end(), [](std::byte b) { return b == std::byte{0}; })) return {};
    return Error{Errc::corrupt, "segment " + std::to_string(i) + ": bytes behind its state are not zero"};
  }

  Result<void> check_order(std::size_t i, const Shape& shape) {
    constexpr std::uint64_t kPerBlock = kChunkBytes / Exact::kEntryBytes;
    Hash last{};
    for (std::uint64_t first = 0; first < shape.cells; first += kPerBlock) {
      const std::uint64_t count = std::min(kPerBlock, shape.cells - first);
      auto block = read(header_.offsets[i] + first * Exact::kEntryBytes, count * Exact::kEntryBytes);
      if (!block) return block.error();
      for (std::uint64_t j = 0; j < count; ++j) {
        const Hash next = Exact::at(*block, j);
        if (first + j > 0 && !Exact::less(last, next))
          return Error{Errc::corrupt, "segment " + std::to_string(i) + ": fingerprint " + std::to_string(first + j) +
                                          " is not greater than the one before"};
        last = next;
      }
    }
    return {};
  }

  std::uint64_t chunk_end(std::uint64_t i) const noexcept {
    return std::min((i + 1) * kChunkBytes, header_.payload_bytes());
  }

  // At most kChunkBytes. Valid until the next read.
  Result<ConstBytes> read(std::uint64_t offset, std::uint64_t size) {
    const Bytes out = Bytes(block_).first(size);
    if (auto got = read_(offset, out); !got) return got.error();
    return ConstBytes(out);
  }

  const Header& header_;
  ConstBytes header_bytes_;
  ReadAt read_;
  std::vector<std::byte> block_;
};

constexpr OpenOptions kHeaderOnly = {.load = Load::map, .key = {}, .without_key = true};

Result<void> verify_file(const std::filesystem::path& path) {
  if (auto opened = open(path, kHeaderOnly); !opened) return opened.error();
  auto file = core::open_regular(path);
  if (!file) return file.error();
  const auto loaded = format::load_header(*file, path);
  if (!loaded) return loaded.error();
  auto result = Verifier(loaded->header, loaded->bytes, [&](std::uint64_t offset, Bytes out) {
                  return format::read_file(*file, path, offset, out);
                }).run();
  if (!result) return format::in_file(path, result.error());
  return result;
}

Result<void> verify_bytes(ConstBytes bytes) {
  if (auto decoded = decode(bytes, kHeaderOnly); !decoded) return decoded.error();
  const auto header = format::decode_header(bytes);
  if (!header) return header.error();
  return Verifier(*header, bytes, [&](std::uint64_t offset, Bytes out) -> Result<void> {
           std::copy_n(bytes.begin() + static_cast<std::ptrdiff_t>(offset), out.size(), out.begin());
           return {};
         })
      .run();
}

}  // namespace

Result<void> verify(const std::filesystem::path& path) {
  return guarded([&] { return verify_file(path); });
}

Result<void> verify(ConstBytes bytes) {
  return guarded([&] { return verify_bytes(bytes); });
}

}  // namespace bloomery
