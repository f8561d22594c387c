// The header of our own file format: fields <-> bytes, and where segments go. docs/format.md is the text.
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "bloomery/filter.hpp"

namespace bloomery::format {

inline constexpr std::array<std::uint8_t, 8> kMagic = {0x8B, 'B', 'L', 'M', '\r', '\n', 0x1A, '\n'};
inline constexpr std::uint16_t kVersion = 0;
inline constexpr std::uint32_t kGrows = 1;                // required_features: growth follows the segment table
inline constexpr std::uint32_t kKnownRequired = kGrows;  // required_features that this build understands
inline constexpr std::uint64_t kChunkBytes = std::uint64_t{1} << 20;
inline constexpr std::uint64_t kPageBytes = 4096;
inline constexpr std::uint64_t kCompactBytes = 8;
inline constexpr std::uint64_t kPagedPayloadBytes = std::uint64_t{64} << 10;  // from here on segments start on pages
inline constexpr std::uint32_t kMaxSegments = 4096;
inline constexpr std::size_t kFixedBytes = 88;    // before the segment table
inline constexpr std::size_t kRecordBytes = 72;   // of the segment table, each
inline constexpr std::size_t kGrowthBytes = 24;  // behind the segment table, if the filter grows
inline constexpr std::size_t kChecksumBytes = 8;  // of a chunk; of the header, at its very end

struct Header {
  std::uint16_t version = kVersion;
  std::uint16_t align_log2 = 0;
  std::uint32_t header_bytes = 0;
  std::uint64_t file_bytes = 0;
  std::uint32_t required_features = 0;
  std::uint32_t optional_features = 0;
  Hasher hasher;  // key: as stored, so a check value for siphash
  Counts counts;
  std::optional<Growth> growth;        // with kGrows among the required features, and only then
  std::vector<Segment> segments;       // their bytes are empty
  std::vector<std::uint64_t> offsets;  // of the segments, from the start of the file

  std::uint64_t alignment() const noexcept { return std::uint64_t{1} << align_log2; }
  std::uint64_t payload_bytes() const noexcept { return file_bytes - header_bytes; }
  std::uint64_t chunks() const noexcept { return (payload_bytes() + kChunkBytes - 1) / kChunkBytes; }
};

// The bytes of a segment. REQUIRES: a checked shape.
std::uint64_t segment_bytes(const Segment& segment) noexcept;

// How segments of so many bytes in all are aligned.
std::uint16_t alignment_log2(std::uint64_t segments_bytes) noexcept;

// Sets align_log2, header_bytes, file_bytes and offsets from the segments: there is one way only.
// REQUIRES: checked shapes. Errors: not_supported (a header past 4 GiB, or too many segments).
Result<void> place(Header& header);

// Can the filter go in pieces, its head first? Errors: not_supported.
Result<void> check_pieces(const Header& header);

// The header's bytes, sealed with its checksum. REQUIRES: place(header); header.chunks() chunk_sums.
std::vector<std::byte> serialize(const Header& header, std::span<const std::uint64_t> chunk_sums);

// Writes the checksum at the end of a header.
void seal(Bytes header) noexcept;

// What the first bytes of a file say about its length. REQUIRES: start holds the first
// min(kFixedBytes, file_bytes) bytes. Gives header_bytes, which is then in proportion to file_bytes,
// so that it may be allocated. Errors: not_a_filter, too_new, corrupt.
Result<std::uint32_t> header_bytes(ConstBytes start, std::uint64_t file_bytes);

// How long the file of these first bytes says that it is. 0: they are too few.
std::uint64_t claimed_file_bytes(ConstBytes start) noexcept;

// Every field checked, the bytes canonical. REQUIRES: header_bytes() took them, and gave header.size().
// Errors: corrupt, too_new.
Result<Header> parse(ConstBytes header);

// The stored checksum of a chunk. REQUIRES: parse(bytes) gave header; i < header.chunks().
std::uint64_t stored_sum(ConstBytes bytes, const Header& header, std::uint64_t i) noexcept;

}  // namespace bloomery::format
