// Law 6: save -> open gives the same answers, and saving again the same bytes.
#include <algorithm>
#include <cmath>
#include <limits>

#include "format/testing.hpp"

namespace bloomery::testing {
namespace {

const SecretKey kSecret = [] {
  SecretKey key;
  for (std::size_t i = 0; i < key.size(); ++i) key[i] = static_cast<std::byte>(i * 17 + 3);
  return key;
}();

std::vector<Hasher> hashers() {
  return {Hasher::xxh3(), Hasher::xxh3(42), Hasher::murmur3(), Hasher::siphash(kSecret), Hasher::precomputed()};
}

class RoundTrip : public ::testing::TestWithParam<Kind> {};

TEST_P(RoundTrip, MemoryKeepsAnswersAndBytes) {
  for (const Hasher& hasher : hashers()) {
    for (const std::uint64_t n : {1u, 2u, 3u, 17u, 500u, 60'000u}) {
      const Filter filter = make_filter(GetParam(), n, hasher);
      const FileBytes bytes = encoded(filter);
      OpenOptions options;
      if (hasher.secret()) options.key = kSecret;
      for (const Load load : {Load::map, Load::copy}) {
        options.load = load;
        const Filter again = unwrap(decode(bytes, options));
        expect_same(filter, again, std::min<std::uint64_t>(n, 2000));
        EXPECT_EQ(again.read_only(), load == Load::map);
        EXPECT_EQ(encoded(again), bytes);
      }
      EXPECT_TRUE(verify(bytes));
    }
  }
}

// A head, and the bytes in pieces of odd sizes.
TEST_P(RoundTrip, PiecesMakeTheSameFilter) {
  if (GetParam() == Kind::exact) {
    EXPECT_EQ(encode_head(make_filter(Kind::exact, 10)).error().code, Errc::not_supported);
    EXPECT_EQ(encode_head(unwrap(Filter::create(Growth{.remember_keys = 0}, Hasher::xxh3()))).error().code, Errc::not_supported);
    return;
  }
  for (const std::uint64_t n : {1u, 500u, 60'000u}) {
    const Filter filter = make_filter(GetParam(), n);
    const FileBytes head = unwrap(encode_head(filter));
    const FileBytes file = encoded(filter);
    ASSERT_LE(head.size(), file.size());
    EXPECT_TRUE(std::equal(head.begin(), head.end(), file.begin()));
    EXPECT_EQ(head.size() % segment_alignment(filter), 0u);
    Filter again = unwrap(decode_head(head));
    EXPECT_EQ(again.counts(), filter.counts());
    for (std::size_t i = 0; i < filter.segments().size(); ++i) {
      const ConstBytes from = filter.segments()[i].bytes;
      for (std::size_t at = 0; at < from.size(); at += 4321)
        ASSERT_TRUE(again.put(i, at, from.subspan(at, std::min<std::size_t>(4321, from.size() - at))));
      EXPECT_EQ(again.put(i, from.size(), from.first(1)).error().code, Errc::invalid_argument);
      EXPECT_EQ(again.put(i, ~std::uint64_t{0}, from.first(1)).error().code, Errc::invalid_argument);
    }
    EXPECT_EQ(again.put(filter.segments().size(), 0, ConstBytes(head).first(1)).error().code, Errc::invalid_argument);
    EXPECT_EQ(encoded(again), encoded(filter));
    for (std::size_t end = 0; end < std::min<std::size_t>(head.size(), 300); ++end)
      EXPECT_FALSE(decode_head(ConstBytes(head).first(end))) << end;
    for (std::size_t at = 0; at < std::min<std::size_t>(head.size(), 300); ++at) {
      FileBytes damaged = head;
      damaged[at] ^= std::byte{4};
      EXPECT_FALSE(decode_head(damaged)) << at;
    }
  }
}

TEST_P(RoundTrip, FilesKeepAnswersAndBytes) {
  TempFolder folder;
  const auto path = folder / "f.blm", second = folder / "g.blm";
  for (const std::uint64_t n : {1u, 1000u, 1'000'000u}) {
    const Filter filter = make_filter(GetParam(), n);
    ASSERT_TRUE(save(filter, path));
    EXPECT_EQ(read_file(path), encoded(filter));
    ASSERT_TRUE(verify(path));
    for (const Load load : {Load::map, Load::copy}) {
      const Filter again = unwrap(open(path, {.load = load}));
      expect_same(filter, again, 1000);
      ASSERT_TRUE(save(again, second));
      EXPECT_EQ(read_file(second), read_file(path));
    }
  }
}

TEST_P(RoundTrip, AWritableCopyGoesOn) {
  TempFolder folder;
  const auto path = folder / "f.blm";
  ASSERT_TRUE(save(make_filter(GetParam(), 100), path));
  Filter copy = unwrap(open(path, {.load = Load::copy}));
  fill(copy, 50, 100);
  ASSERT_TRUE(save(copy, path));
  const Filter again = unwrap(open(path));
  const std::uint64_t forgotten = GetParam() == Kind::windowed ? 50 : 0;
  for (std::uint64_t i = forgotten; i < 150; ++i) EXPECT_TRUE(again.may_contain(test_key(i)));
  EXPECT_EQ(again.counts().offered, 150u);
}

TEST_P(RoundTrip, AnEmptyFilterSaysNo) {
  const Filter filter = unwrap(Filter::create({.kind = GetParam(), .expected_keys = 1000}));
  const FileBytes bytes = encoded(filter);
  const Filter again = unwrap(decode(bytes));
  for (std::uint64_t i = 0; i < 1000; ++i) EXPECT_FALSE(again.may_contain(test_key(i)));
}

INSTANTIATE_TEST_SUITE_P(Kinds, RoundTrip, ::testing::Values(Kind::classic, Kind::blocked, Kind::exact, Kind::counting, Kind::windowed),
                         [](const auto& kind) { return std::string(name(kind.param)); });

TEST(RoundTrip, SeveralSegments) {
  for (const Kind kind : {Kind::classic, Kind::blocked}) {
    Filter filter = make_filter(kind, 10);
    for (const std::uint64_t n : {100u, 7u, 200'000u, 1u}) {
      ASSERT_TRUE(filter.append_segment(unwrap(plan({.kind = kind, .keys = n, .fpr = 0.001}))));
      fill(filter, n, filter.counts().offered);
      const FileBytes bytes = encoded(filter);
      const Filter again = unwrap(decode(bytes));
      EXPECT_EQ(again.segments().size(), filter.segments().size());
      expect_same(filter, again, filter.counts().offered);
      EXPECT_EQ(encoded(again), bytes);
      EXPECT_TRUE(verify(bytes));
    }
  }
}

TEST(RoundTrip, CountsAndOptionalFeaturesAreKept) {
  Filter filter = make_filter(Kind::blocked, 1000);
  filter.set_counts({.expected_wrong_repeats = 2.5});
  ASSERT_TRUE(filter.merge(make_filter(Kind::blocked, 1000)));
  ASSERT_TRUE(filter.counts().estimated);
  FileBytes bytes = encoded(filter);
  const Filter again = unwrap(decode(bytes));
  EXPECT_EQ(again.counts(), filter.counts());
  poke<std::uint32_t>(bytes, 28, 0x80000001);
  reseal(bytes);
  const Filter marked = unwrap(decode(bytes, {.load = Load::copy}));
  EXPECT_EQ(marked.optional_features(), 0x80000001u);
  EXPECT_EQ(encoded(marked), bytes);
}

TEST(RoundTrip, NonsenseCountsAreNotWritten) {
  Filter filter = make_filter(Kind::blocked, 10);
  for (const double wrong : {-1.0, std::numeric_limits<double>::infinity(), std::nan("")}) {
    filter.set_counts({.expected_wrong_repeats = wrong});
    const auto bytes = encode(filter);
    ASSERT_FALSE(bytes);
    EXPECT_EQ(bytes.error().code, Errc::invalid_argument);
  }
}

TEST(RoundTrip, SegmentsAreAlignedAndCompactFilesAreSmall) {
  const FileBytes small = encoded(make_filter(Kind::classic, 1));
  EXPECT_LE(header_bytes_of(small), 256u);
  TempFolder folder;
  ASSERT_TRUE(save(make_filter(Kind::blocked, 200'000), folder / "f.blm"));
  const FileInfo info = unwrap(inspect(folder / "f.blm"));
  EXPECT_EQ(info.alignment, 4096u);
  EXPECT_EQ(info.header_bytes % 4096, 0u);
  EXPECT_EQ(info.file_bytes, std::filesystem::file_size(folder / "f.blm"));
  EXPECT_EQ(info.version, 0u);
  const Filter mapped = unwrap(open(folder / "f.blm"));
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(mapped.segments()[0].bytes.data()) % 4096, 0u);
}

TEST(Keys, ASecretFileAsksForItsKey) {
  const Filter filter = make_filter(Kind::blocked, 100, Hasher::siphash(kSecret));
  const FileBytes bytes = encoded(filter);
  const std::string text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  EXPECT_EQ(text.find(std::string_view(reinterpret_cast<const char*>(kSecret.data()), 16)), std::string::npos);

  const auto without = decode(bytes);
  ASSERT_FALSE(without);
  EXPECT_EQ(without.error().code, Errc::key_required);
  SecretKey other = kSecret;
  other[15] ^= std::byte{1};
  const auto wrong = decode(bytes, {.key = other});
  ASSERT_FALSE(wrong);
  EXPECT_EQ(wrong.error().code, Errc::wrong_key);
  EXPECT_TRUE(verify(bytes));
}

TEST(Keys, WithoutTheKeyInfoWorksAndTheFileStaysTheSame) {
  const FileBytes bytes = encoded(make_filter(Kind::blocked, 100, Hasher::siphash(kSecret)));
  const Filter locked = unwrap(decode(bytes, {.without_key = true}));
  EXPECT_TRUE(locked.key_missing());
  EXPECT_TRUE(locked.may_contain("anything"));  // nothing can be said for certain
  EXPECT_EQ(locked.counts().inserted, unwrap(decode(bytes, {.key = kSecret})).counts().inserted);
  EXPECT_EQ(encoded(locked), bytes);
}

TEST(Keys, AKeyForAFileWithoutOneIsRefused) {
  const FileBytes bytes = encoded(make_filter(Kind::blocked, 100));
  const auto filter = decode(bytes, {.key = kSecret});
  ASSERT_FALSE(filter);
  EXPECT_EQ(filter.error().code, Errc::invalid_argument);
}

}  // namespace
}  // namespace bloomery::testing
