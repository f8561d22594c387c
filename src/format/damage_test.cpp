// Whatever happened to a header: a refusal that says what is wrong, never a crash, never an answer.
#include <cmath>
#include <limits>

#include "core/checksum.hpp"
#include "format/testing.hpp"

namespace bloomery::testing {
namespace {

// Offsets of fields, as in docs/format.md.
constexpr std::size_t kVersionAt = 8, kAlignAt = 10, kHeaderBytesAt = 12, kFileBytesAt = 16, kRequiredAt = 24;
constexpr std::size_t kHashIdAt = 32, kHasherFlagsAt = 33, kStoredKeyAt = 40, kWrongRepeatsAt = 72, kFlagsAt = 80;
constexpr std::size_t kSegmentsAt = 84, kOffsetAt = 88, kKindAt = 96, kRuleAt = 98, kCellsAt = 104, kFprAt = 128;

class Damage : public ::testing::TestWithParam<Kind> {
 protected:
  FileBytes small() const { return encoded(make_filter(GetParam(), 20)); }
  FileBytes large() const { return encoded(make_filter(GetParam(), 100'000)); }
};

TEST_P(Damage, EveryBitOfTheHeader) {
  for (FileBytes bytes : {small(), large()}) {
    for (std::size_t i = 0; i < header_bytes_of(bytes) * 8; ++i) {
      const std::byte bit = std::byte{1} << (i % 8);
      bytes[i / 8] ^= bit;
      ASSERT_TRUE(refusal(bytes)) << "bit " << i;
      ASSERT_FALSE(verify(bytes)) << "bit " << i;
      bytes[i / 8] ^= bit;
    }
    ASSERT_FALSE(refusal(bytes));
  }
}

TEST_P(Damage, TruncatedAnywhere) {
  TempFolder folder;
  for (const FileBytes& bytes : {small(), large()}) {
    for (std::size_t size = 0; size < bytes.size(); size += size < header_bytes_of(bytes) ? 1u : 4096u) {
      const auto why = refusal(ConstBytes(bytes).first(size));
      ASSERT_TRUE(why) << size;
      EXPECT_TRUE(why->code == Errc::not_a_filter || why->code == Errc::corrupt) << why->message;
      if (size % 4096 != 0) continue;
      write_file(folder / "cut.blm", ConstBytes(bytes).first(size));
      for (const Load load : {Load::map, Load::copy}) ASSERT_FALSE(open(folder / "cut.blm", {.load = load})) << size;
      ASSERT_FALSE(verify(folder / "cut.blm")) << size;
    }
  }
}

TEST_P(Damage, SealedNonsenseInEachByteNeverHarms) {
  FileBytes bytes = small();
  const FileBytes good = bytes;
  for (std::size_t i = 0; i + 8 < header_bytes_of(good); ++i) {
    for (const unsigned value : {0u, 1u, 7u, 127u, 128u, 255u}) {
      bytes = good;
      bytes[i] = static_cast<std::byte>(value);
      if (header_bytes_of(bytes) <= bytes.size() && header_bytes_of(bytes) >= 8) reseal(bytes);
      const auto filter = decode(bytes, {.without_key = true});
      if (!filter) continue;
      for (std::uint64_t k = 0; k < 50; ++k) static_cast<void>(filter->may_contain(test_hash(k)));
      EXPECT_EQ(encoded(*filter).size(), bytes.size()) << "byte " << i << " value " << value;
    }
  }
}

TEST_P(Damage, AppendedBytesAreRefused) {
  FileBytes bytes = small();
  bytes.push_back(std::byte{0});
  EXPECT_REFUSED(bytes, Errc::corrupt, "bytes after its end");
}

INSTANTIATE_TEST_SUITE_P(Kinds, Damage, ::testing::Values(Kind::classic, Kind::blocked, Kind::exact, Kind::counting, Kind::windowed),
                         [](const auto& kind) { return std::string(name(kind.param)); });

FileBytes sample() { return encoded(make_filter(Kind::blocked, 20)); }

// The sample with one field changed and the checksum right again.
template <class T>
FileBytes changed(std::size_t offset, T value) {
  FileBytes bytes = sample();
  poke(bytes, offset, value);
  reseal(bytes);
  return bytes;
}

TEST(Header, TheHelperChangesNothingByItself) { EXPECT_EQ(changed<std::uint16_t>(kVersionAt, 0), sample()); }

TEST(Header, LengthsThatLie) {
  FileBytes bytes = sample();
  poke<std::uint64_t>(bytes, kFileBytesAt, std::uint64_t{1} << 60);
  EXPECT_REFUSED(bytes, Errc::corrupt, "truncated: header says 1152921504606846976 bytes, file has ");
  for (const std::uint32_t size : {0u, 8u, 4096u, 0x7FFFFFFFu, 0xFFFFFFFFu}) {
    bytes = sample();
    poke(bytes, kHeaderBytesAt, size);
    EXPECT_REFUSED(bytes, Errc::corrupt, "length");
  }
  for (const std::uint64_t cells : {std::uint64_t{0}, std::uint64_t{1} << 40, std::uint64_t{1} << 60, ~std::uint64_t{0}})
    EXPECT_REFUSED(changed(kCellsAt, cells), Errc::corrupt, "damaged");
  for (const std::uint32_t segments : {0u, 2u, 4097u, 0xFFFFFFFFu}) {
    bytes = sample();
    poke(bytes, kSegmentsAt, segments);
    EXPECT_REFUSED(bytes, Errc::corrupt, "damaged");
  }
  EXPECT_REFUSED(changed<std::uint64_t>(kOffsetAt, 0), Errc::corrupt, "segments");
  EXPECT_REFUSED(changed<std::uint64_t>(kOffsetAt, std::uint64_t{1} << 63), Errc::corrupt, "segments");
}

TEST(Header, FromTheFuture) {
  EXPECT_REFUSED(changed<std::uint16_t>(kVersionAt, 1), Errc::too_new, "format version 1, this build reads up to 0");
  EXPECT_REFUSED(changed<std::uint32_t>(kRequiredAt, 0x10), Errc::too_new, "feature bit 4");
  EXPECT_REFUSED(changed<std::uint16_t>(kKindAt, 77), Errc::too_new, "kind 77");
  EXPECT_REFUSED(changed<std::uint8_t>(kHashIdAt, 99), Errc::too_new, "hash function 99");
}

TEST(Header, FieldsOutOfRange) {
  EXPECT_REFUSED(changed<std::uint16_t>(kAlignAt, 4), Errc::corrupt, "alignment");
  EXPECT_REFUSED(changed<std::uint8_t>(kHasherFlagsAt, 1), Errc::corrupt, "flags");
  EXPECT_REFUSED(changed<std::uint8_t>(kHasherFlagsAt + 1, 1), Errc::corrupt, "reserved");
  EXPECT_REFUSED(changed<std::uint8_t>(kStoredKeyAt + 8, 1), Errc::corrupt, "zero");
  EXPECT_REFUSED(changed<std::uint32_t>(kFlagsAt, 2), Errc::corrupt, "flags");
  EXPECT_REFUSED(changed<std::uint8_t>(kRuleAt, 9), Errc::corrupt, "segment 0");
  for (const double bad : {-0.0, -1.0, std::nan(""), std::numeric_limits<double>::infinity()}) {
    EXPECT_REFUSED(changed(kWrongRepeatsAt, bad), Errc::corrupt, "wrong repeats");
    EXPECT_REFUSED(changed(kFprAt, bad), Errc::corrupt, "planned rate");
  }
  EXPECT_REFUSED(changed(kFprAt, 1.5), Errc::corrupt, "planned rate");
}

TEST(Header, OtherFiles) {
  const auto refused = [](std::string_view text) {
    return refusal(std::as_bytes(std::span(text))).value_or(Error{Errc::io, ""});
  };
  EXPECT_EQ(refused("").code, Errc::not_a_filter);
  EXPECT_NE(refused("").message.find("empty"), std::string::npos);
  using namespace std::string_view_literals;
  for (const auto other : {"x"sv, "\x8B"sv, "https://example.com/\nhttps://example.org/\n"sv,
                           "\x89PNG\r\n\x1A\n\0\0\0\rIHDR"sv, "\x1F\x8B\x08\0\0\0\0\0\0\x03"sv})
    EXPECT_EQ(refused(other).code, Errc::not_a_filter);
  for (const auto damaged : {"\x8B" "BLM\n\x1A\n\0\0\0\0"sv,            // CR LF became LF
                             "\x8B" "BLM\r\r\n\x1A\r\n\0\0\0"sv,        // LF became CR LF
                             "\x0B" "BLM\r\n\x1A\n\0\0\0"sv,            // 7 bits
                             "\xC2\x8B" "BLM\r\n\x1A\n\0\0\0"sv,        // Latin-1 taken for UTF-8
                             "\xEF\xBF\xBD" "BLM\r\n\x1A\n\0\0\0"sv}) {  // replaced as invalid UTF-8
    EXPECT_EQ(refused(damaged).code, Errc::not_a_filter);
    EXPECT_NE(refused(damaged).message.find("text mode"), std::string::npos);
  }
}

TEST(Header, MessagesNameTheFile) {
  TempFolder folder;
  const auto path = folder / "odd\nname.blm";
  write_file(path, changed<std::uint16_t>(kVersionAt, 9));
  const std::string shown = (folder / "odd?name.blm").string() + ": ";
  for (const Load load : {Load::map, Load::copy}) {
    const auto filter = open(path, {.load = load});
    ASSERT_FALSE(filter);
    EXPECT_EQ(filter.error().message.substr(0, shown.size()), shown);
  }
  EXPECT_EQ(verify(path).error().message.substr(0, shown.size()), shown);
  EXPECT_EQ(inspect(path).error().message.substr(0, shown.size()), shown);
}

TEST(Open, WhatIsNotAFile) {
  TempFolder folder;
  for (const auto& path : {folder.path(), folder / "absent.blm", std::filesystem::path("/dev/null"),
                           std::filesystem::path("/dev/zero")}) {
    const auto filter = open(path);
    ASSERT_FALSE(filter);
    EXPECT_EQ(filter.error().code, Errc::io) << filter.error().message;
    EXPECT_NE(filter.error().message.find(path.string()), std::string::npos);
  }
}

TEST(Open, AnEmptyFileAndOneByte) {
  TempFolder folder;
  write_file(folder / "empty", {});
  write_file(folder / "one", FileBytes{std::byte{0x8B}});
  EXPECT_EQ(open(folder / "empty").error().code, Errc::not_a_filter);
  EXPECT_EQ(open(folder / "one").error().code, Errc::not_a_filter);
}

}  // namespace
}  // namespace bloomery::testing
