// verify() finds what open() does not look at, and says where.
#include "core/checksum.hpp"
#include "format/testing.hpp"

namespace bloomery::testing {
namespace {

constexpr std::size_t kMebi = std::size_t{1} << 20;

std::size_t sums_at(const FileBytes& bytes) {
  return format::kFixedBytes + format::kRecordBytes * load_le<std::uint32_t>(bytes.data() + 84);
}

// Makes all checksums right again, so that only the bytes themselves can be wrong.
void reseal_all(FileBytes& bytes) {
  const ConstBytes payload = ConstBytes(bytes).subspan(header_bytes_of(bytes));
  for (std::size_t i = 0; i * kMebi < payload.size(); ++i) {
    const auto chunk = payload.subspan(i * kMebi, std::min(kMebi, payload.size() - i * kMebi));
    poke(bytes, sums_at(bytes) + 8 * i, core::checksum(chunk, i));
  }
  reseal(bytes);
}

std::string complaint(const FileBytes& bytes) {
  TempFolder folder;
  write_file(folder / "f.blm", bytes);
  const auto from_file = verify(folder / "f.blm"), from_memory = verify(bytes);
  EXPECT_EQ(static_cast<bool>(from_file), static_cast<bool>(from_memory));
  if (from_memory) return "";
  EXPECT_EQ(from_memory.error().code, Errc::corrupt);
  EXPECT_EQ(from_file.error().message, (folder / "f.blm").string() + ": " + from_memory.error().message);
  return from_memory.error().message;
}

void expect_found(const std::string& complaint, const std::string& words) {
  EXPECT_NE(complaint.find(words), std::string::npos) << complaint;
}

FileBytes large(Kind kind) { return encoded(make_filter(kind, kind == Kind::exact ? 250'000 : 3'000'000)); }

TEST(Verify, AFlippedPayloadByteIsFoundAndItsChunkNamed) {
  for (const Kind kind : {Kind::classic, Kind::blocked, Kind::exact, Kind::windowed}) {
    FileBytes bytes = large(kind);
    const std::size_t start = header_bytes_of(bytes), payload = bytes.size() - start;
    ASSERT_GT(payload, 3 * kMebi);
    EXPECT_EQ(complaint(bytes), "");
    const std::string last = std::to_string(payload / kMebi);
    for (const auto& [at, words] : std::initializer_list<std::pair<std::size_t, std::string>>{
             {0, "chunk 0 (bytes 0..1048575 of the payload) is damaged"},
             {kMebi - 1, "chunk 0 (bytes 0..1048575 of the payload) is damaged"},
             {kMebi, "chunk 1 (bytes 1048576..2097151 of the payload) is damaged"},
             {payload - 1, "chunk " + last + " (bytes " + std::to_string(payload / kMebi * kMebi) + ".." +
                               std::to_string(payload - 1) + " of the payload) is damaged"}}) {
      bytes[start + at] ^= std::byte{0x10};
      EXPECT_TRUE(decode(bytes));  // O(header): it does not look
      expect_found(complaint(bytes), words);
      bytes[start + at] ^= std::byte{0x10};
    }
    bytes[start] ^= std::byte{1};
    bytes[start + 2 * kMebi] ^= std::byte{1};
    expect_found(complaint(bytes), "and 1 more of ");
  }
}

TEST(Verify, EveryPayloadBitOfASmallFile) {
  for (const Kind kind : {Kind::classic, Kind::blocked, Kind::exact, Kind::windowed}) {
    FileBytes bytes = encoded(make_filter(kind, 20));
    for (std::size_t i = header_bytes_of(bytes) * 8; i < bytes.size() * 8; ++i) {
      bytes[i / 8] ^= std::byte{1} << (i % 8);
      ASSERT_FALSE(verify(bytes)) << i;
      bytes[i / 8] ^= std::byte{1} << (i % 8);
    }
  }
}

TEST(Verify, BitsBeyondTheLastOfAClassicFilter) {
  Filter filter = unwrap(Filter::create(unwrap(plan({.kind = Kind::classic, .bits = 77, .hashes = 3})), Hasher::xxh3()));
  FileBytes bytes = encoded(filter);
  EXPECT_EQ(complaint(bytes), "");
  bytes.back() |= std::byte{0x10};  // bit 76, the last
  reseal_all(bytes);
  EXPECT_EQ(complaint(bytes), "");
  bytes.back() |= std::byte{0x20};
  reseal_all(bytes);
  expect_found(complaint(bytes), "bits beyond its last one");
}

TEST(Verify, PaddingBetweenSegments) {
  Filter filter = unwrap(Filter::create(unwrap(plan({.kind = Kind::classic, .bits = 77, .hashes = 3})), Hasher::xxh3()));
  ASSERT_TRUE(filter.append_segment(unwrap(plan({.kind = Kind::classic, .bits = 88, .hashes = 3}))));
  FileBytes bytes = encoded(filter);
  EXPECT_EQ(complaint(bytes), "");
  bytes[header_bytes_of(bytes) + 12] = std::byte{1};  // 10 bytes, then 6 of padding
  reseal_all(bytes);
  expect_found(complaint(bytes), "padding before segment 1");
}

TEST(Verify, FingerprintsOutOfOrder) {
  const FileBytes good = large(Kind::exact);
  const std::size_t start = header_bytes_of(good);
  for (const std::size_t entry : {std::size_t{1}, kMebi / 16, std::size_t{200'000}}) {
    FileBytes bytes = good;
    const auto at = bytes.begin() + static_cast<std::ptrdiff_t>(start + entry * 16);
    std::swap_ranges(at - 16, at, at);
    reseal_all(bytes);
    expect_found(complaint(bytes), "fingerprint " + std::to_string(entry) + " is not greater");
    std::copy(at - 16, at, at);  // twice the same
    reseal_all(bytes);
    expect_found(complaint(bytes), "fingerprint " + std::to_string(entry) + " is not greater");
  }
}

}  // namespace
}  // namespace bloomery::testing
