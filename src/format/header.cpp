#include "format/header.hpp"

#include <cmath>
#include <limits>

#include "core/checksum.hpp"
#include "format/fields.hpp"
#include "layout/layouts.hpp"

namespace bloomery::format {

namespace {

constexpr std::uint16_t kCompactLog2 = 3, kPageLog2 = 12;
constexpr std::uint8_t kSecretFlag = 1;       // hasher flags: stored_key is a check value
constexpr std::uint32_t kEstimatedFlag = 1;   // counts flags

std::uint64_t round_up(std::uint64_t bytes, std::uint64_t alignment) noexcept {
  return (bytes + alignment - 1) / alignment * alignment;
}

Error corrupt(std::string what) { return {Errc::corrupt, "the header is damaged: " + std::move(what)}; }

// Up to the chunk sums.
std::uint64_t table_end(std::uint64_t segments, std::uint32_t features) noexcept {
  return kFixedBytes + kRecordBytes * segments + ((features & kGrows) != 0 ? kGrowthBytes : 0);
}

std::uint64_t header_size(std::uint64_t table_end, std::uint64_t chunks, std::uint64_t alignment) noexcept {
  return round_up(table_end + kChecksumBytes * (chunks + 1), alignment);
}

void put_record(Writer& out, std::uint64_t offset, const Segment& segment) {
  const Shape& shape = segment.shape;
  out.put(offset);
  out.put(static_cast<std::uint16_t>(shape.kind));
  for (const std::uint8_t byte : {shape.rule, shape.probes, shape.cell_bits, shape.lines_per_key}) out.put(byte);
  out.put(std::uint16_t{0});
  for (const std::uint64_t word : {shape.cells, shape.salt, segment.planned_keys}) out.put(word);
  out.put(segment.planned_fpr + 0.0);  // + 0.0: there is one zero
  for (const std::uint64_t word : {segment.keys_inserted, shape.param[0], shape.param[1]}) out.put(word);
}

Segment get_record(Reader& in, std::uint64_t& offset) {
  Segment segment;
  Shape& shape = segment.shape;
  offset = in.get<std::uint64_t>();
  shape.kind = static_cast<Kind>(in.get<std::uint16_t>());
  for (std::uint8_t* byte : {&shape.rule, &shape.probes, &shape.cell_bits, &shape.lines_per_key})
    *byte = in.get<std::uint8_t>();
  in.zeros(2);
  for (std::uint64_t* word : {&shape.cells, &shape.salt, &segment.planned_keys}) *word = in.get<std::uint64_t>();
  segment.planned_fpr = in.get<double>();
  for (std::uint64_t* word : {&segment.keys_inserted, &shape.param[0], &shape.param[1]})
    *word = in.get<std::uint64_t>();
  return segment;
}

bool within(double value, double most) noexcept {
  return std::isfinite(value) && !std::signbit(value) && value <= most;
}

Result<void> check_segment(const Segment& segment, std::size_t i) {
  const std::string which = "segment " + std::to_string(i);
  auto checked = Result<void>(Error{Errc::too_new, which + " is of kind " +
                                                       std::to_string(static_cast<unsigned>(segment.shape.kind)) +
                                                       ", which this build does not know: get a newer bloomery"});
  visit_layout(segment.shape.kind, [&]<class L>(L) { checked = L::check(segment.shape); });
  if (!checked && checked.error().code == Errc::too_new) return checked;
  if (!checked) return corrupt(which + ": " + checked.error().message);
  if (!within(segment.planned_fpr, 1)) return corrupt(which + ": its planned rate is not within 0..1");
  return {};
}

Result<Growth> get_growth(Reader& in) {
  Growth growth;
  growth.fpr = in.get<double>();
  growth.remember_keys = in.get<std::uint64_t>();
  growth.most_memory = in.get<double>();
  if (auto checked = check(growth); !checked) return corrupt(checked.error().message);
  return growth;
}

Result<Hasher> get_hasher(Reader& in) {
  Hasher hasher;
  hasher.id = static_cast<HashId>(in.get<std::uint8_t>());
  const auto flags = in.get<std::uint8_t>();
  in.zeros(6);
  for (std::byte& byte : hasher.key) byte = in.get<std::byte>();
  if (name(hasher.id) == "?")
    return Error{Errc::too_new, "made with hash function " + std::to_string(static_cast<unsigned>(hasher.id)) +
                                    ", which this build does not know: get a newer bloomery"};
  if (flags != (hasher.secret() ? kSecretFlag : 0)) return corrupt("the hasher's flags do not fit the hasher");
  if (auto checked = hasher.check(); !checked) return corrupt(checked.error().message);
  return hasher;
}

Result<Counts> get_counts(Reader& in) {
  Counts counts;
  counts.offered = in.get<std::uint64_t>();
  counts.inserted = in.get<std::uint64_t>();
  counts.expected_wrong_repeats = in.get<double>();
  const auto flags = in.get<std::uint32_t>();
  counts.estimated = (flags & kEstimatedFlag) != 0;
  if ((flags & ~kEstimatedFlag) != 0) return corrupt("unknown flags beside the counts");
  if (!within(counts.expected_wrong_repeats, std::numeric_limits<double>::max()))
    return corrupt("the expected number of wrong repeats is not a number from 0 on");
  return counts;
}

Error too_new(std::string what) {
  return {Errc::too_new, "written by a newer bloomery: " + std::move(what) + "; get a newer bloomery"};
}

// Says what a transfer did to the magic, if that is what it looks like.
Error not_a_filter(ConstBytes start, std::uint64_t file_bytes) {
  constexpr std::string_view kLetters = "BLM";
  const std::string_view text(reinterpret_cast<const char*>(start.data()), start.size());
  const auto letters = text.substr(0, 8).find(kLetters);
  if (file_bytes == 0) return {Errc::not_a_filter, "not a bloomery filter: the file is empty"};
  if (letters == 1 || letters == 2 || letters == 3)
    return {Errc::not_a_filter,
            "not a bloomery filter any more: its first bytes were changed as by a transfer in text mode; "
            "copy the original in binary mode"};
  return {Errc::not_a_filter, "not a bloomery filter: it does not start with the bytes 8B 42 4C 4D"};
}

}  // namespace

std::uint64_t segment_bytes(const Segment& segment) noexcept {
  return with_layout<std::uint64_t>(segment.shape.kind, [&]<class L>(L) { return L::size_bytes(segment.shape); });
}

Result<void> check_pieces(const Header& header) {
  if (header.segments[0].shape.kind == Kind::exact)
    return Error{Errc::not_supported, "a head of kind exact says nothing without its fingerprints"};
  if (header.growth) return Error{Errc::not_supported, "a filter that grows by itself does not go in pieces"};
  return {};
}

std::uint16_t alignment_log2(std::uint64_t segments_bytes) noexcept {
  return segments_bytes >= kPagedPayloadBytes ? kPageLog2 : kCompactLog2;
}

Result<void> place(Header& header) {
  std::uint64_t sum = 0;
  if (header.segments.empty() || header.segments.size() > kMaxSegments)
    return Error{Errc::not_supported, "a file holds 1 to " + std::to_string(kMaxSegments) + " segments, not " +
                                          std::to_string(header.segments.size())};
  for (const Segment& segment : header.segments) sum += segment_bytes(segment);
  header.align_log2 = alignment_log2(sum);
  header.offsets.clear();
  std::uint64_t end = 0;
  for (const Segment& segment : header.segments) {
    header.offsets.push_back(round_up(end, header.alignment()));
    end = header.offsets.back() + segment_bytes(segment);
  }
  const std::uint64_t chunks = (end + kChunkBytes - 1) / kChunkBytes;
  header.required_features = header.growth ? kGrows : 0;
  const std::uint64_t table = table_end(header.segments.size(), header.required_features);
  const std::uint64_t start = header_size(table, chunks, header.alignment());
  if (start > std::numeric_limits<std::uint32_t>::max())
    return Error{Errc::not_supported, "too large for one file: its checksums alone would take 4 GiB"};
  for (std::uint64_t& offset : header.offsets) offset += start;
  header.header_bytes = static_cast<std::uint32_t>(start);
  header.file_bytes = start + end;
  return {};
}

std::vector<std::byte> serialize(const Header& header, std::span<const std::uint64_t> chunk_sums) {
  std::vector<std::byte> bytes(header.header_bytes);
  Writer out(bytes);
  for (const std::uint8_t byte : kMagic) out.put(byte);
  for (const std::uint16_t field : {header.version, header.align_log2}) out.put(field);
  out.put(header.header_bytes);
  out.put(header.file_bytes);
  for (const std::uint32_t field : {header.required_features, header.optional_features}) out.put(field);
  out.put(static_cast<std::uint8_t>(header.hasher.id));
  out.put(header.hasher.secret() ? kSecretFlag : std::uint8_t{0});
  out.skip(6);
  for (const std::byte byte : header.hasher.key) out.put(byte);
  for (const std::uint64_t field : {header.counts.offered, header.counts.inserted}) out.put(field);
  out.put(header.counts.expected_wrong_repeats + 0.0);
  out.put(header.counts.estimated ? kEstimatedFlag : std::uint32_t{0});
  out.put(static_cast<std::uint32_t>(header.segments.size()));
  for (std::size_t i = 0; i < header.segments.size(); ++i) put_record(out, header.offsets[i], header.segments[i]);
  if (header.growth) {
    out.put(header.growth->fpr);
    out.put(header.growth->remember_keys);
    out.put(header.growth->most_memory);
  }
  for (const std::uint64_t sum : chunk_sums) out.put(sum);
  seal(bytes);
  return bytes;
}

void seal(Bytes header) noexcept {
  const std::size_t end = header.size() - kChecksumBytes;
  store_le(header.data() + end, core::checksum(header.first(end), 0));
}

std::uint64_t claimed_file_bytes(ConstBytes start) noexcept {
  constexpr std::size_t kOffset = 16;  // behind magic, version, alignment and header_bytes
  return start.size() < kFixedBytes ? 0 : load_le<std::uint64_t>(start.data() + kOffset);
}

Result<std::uint32_t> header_bytes(ConstBytes start, std::uint64_t file_bytes) {
  if (start.size() < kMagic.size() || std::memcmp(start.data(), kMagic.data(), kMagic.size()) != 0)
    return not_a_filter(start, file_bytes);
  if (start.size() < kFixedBytes)
    return Error{Errc::corrupt, "truncated: the file has " + std::to_string(file_bytes) + " bytes, less than any header"};
  Reader in(start.subspan(kMagic.size()));
  const auto version = in.get<std::uint16_t>(), align_log2 = in.get<std::uint16_t>();
  const auto size = in.get<std::uint32_t>();
  const auto claimed = in.get<std::uint64_t>();
  const auto required = in.get<std::uint32_t>();
  if (version > kVersion)
    return too_new("format version " + std::to_string(version) + ", this build reads up to " +
                   std::to_string(kVersion));
  if ((required & ~kKnownRequired) != 0) {
    const int bit = std::countr_zero(required & ~kKnownRequired);
    return too_new("it needs feature bit " + std::to_string(bit) + ", which this build does not know");
  }
  if (claimed != file_bytes) {
    const bool more = claimed > file_bytes;
    return Error{Errc::corrupt, (more ? "truncated: header says " : "bytes after its end: header says ") +
                                    std::to_string(claimed) + " bytes, file has " + std::to_string(file_bytes)};
  }
  const auto segments = load_le<std::uint32_t>(start.data() + kFixedBytes - 4);
  if (align_log2 != kCompactLog2 && align_log2 != kPageLog2) return corrupt("its alignment is neither 8 nor 4096");
  if (segments == 0 || segments > kMaxSegments) return corrupt(std::to_string(segments) + " segments");
  const std::uint64_t payload = size <= file_bytes ? file_bytes - size : 0;
  if (size > file_bytes || size != header_size(table_end(segments, required), (payload + kChunkBytes - 1) / kChunkBytes,
                                               std::uint64_t{1} << align_log2))
    return corrupt("its length does not fit the length of the file");
  return size;
}

Result<Header> parse(ConstBytes bytes) {
  const std::size_t end = bytes.size() - kChecksumBytes;
  if (load_le<std::uint64_t>(bytes.data() + end) != core::checksum(bytes.first(end), 0))
    return corrupt("its checksum does not match");
  Header header;
  Reader in(bytes.subspan(kMagic.size()));
  header.version = in.get<std::uint16_t>();
  header.align_log2 = in.get<std::uint16_t>();
  header.header_bytes = in.get<std::uint32_t>();
  header.file_bytes = in.get<std::uint64_t>();
  header.required_features = in.get<std::uint32_t>();
  header.optional_features = in.get<std::uint32_t>();
  auto hasher = get_hasher(in);
  if (!hasher) return hasher.error();
  header.hasher = *hasher;
  auto counts = get_counts(in);
  if (!counts) return counts.error();
  header.counts = *counts;
  const auto segments = in.get<std::uint32_t>();
  header.segments.resize(segments);
  header.offsets.resize(segments);
  for (std::uint32_t i = 0; i < segments; ++i) {
    header.segments[i] = get_record(in, header.offsets[i]);
    if (auto checked = check_segment(header.segments[i], i); !checked) return checked.error();
  }
  if ((header.required_features & kGrows) != 0) {
    auto growth = get_growth(in);
    if (!growth) return growth.error();
    header.growth = *growth;
  }
  in.skip(kChecksumBytes * header.chunks());
  in.zeros(in.left() - kChecksumBytes);
  if (!in.zeros_were_zero()) return corrupt("reserved bytes are not zero");
  Header canonical = header;
  if (auto placed = place(canonical); !placed) return corrupt(placed.error().message);
  if (canonical.align_log2 != header.align_log2 || canonical.header_bytes != header.header_bytes ||
      canonical.file_bytes != header.file_bytes || canonical.offsets != header.offsets)
    return corrupt("its segments do not fit the length of the file");
  return header;
}

std::uint64_t stored_sum(ConstBytes bytes, const Header& header, std::uint64_t i) noexcept {
  return load_le<std::uint64_t>(bytes.data() + table_end(header.segments.size(), header.required_features) +
                                kChecksumBytes * i);
}

}  // namespace bloomery::format
