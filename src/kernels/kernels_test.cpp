// Every kernel that this processor can run does what the scalar layout does, bit for bit.
#include "kernels/kernels.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <random>

#include "bloomery/kernel.hpp"
#include "layout/layouts.hpp"

namespace bloomery {
namespace {

constexpr std::size_t kBatchSizes[] = {0, 1, 2, 63, 64, 65, 127, 1000, 2600};

std::vector<std::uint64_t> random_words(std::size_t count, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<std::uint64_t> words(count);
  for (auto& w : words) w = random();
  // Repeats inside a batch, near and far.
  for (std::size_t i = 3; i < count; i += 7) words[i] = words[i - (i % 3)];
  return words;
}

std::vector<Hash> hashes_of(std::span<const std::uint64_t> words, bool from_words) {
  std::vector<Hash> hashes;
  for (std::uint64_t w : words) hashes.push_back(from_words ? Hash::from_u64(w) : Hash{w, mix(w ^ 77)});
  return hashes;
}

// Bytes at an odd address, with guards around them.
class OddBytes {
 public:
  // density: of four bits about so many are set.
  OddBytes(std::uint64_t size_bytes, std::uint64_t seed, unsigned density)
      : buffer_(size_bytes + kBefore + kAfter, std::byte{0xA5}), size_(size_bytes) {
    std::mt19937_64 random(seed);
    const std::size_t whole = size_bytes / 8 * 8;
    std::memset(bytes().data(), 0, size_bytes);
    for (std::size_t i = 0; density > 0 && i < whole; i += 8) {
      const std::uint64_t half = random(), other = random();
      store_le(bytes().data() + i, density == 1 ? half & other : density == 2 ? half : half | other);
    }
  }
  Bytes bytes() { return Bytes(buffer_).subspan(kBefore, size_); }
  bool operator==(const OddBytes&) const = default;  // the guards too

 private:
  static constexpr std::size_t kBefore = 5, kAfter = 67;
  std::vector<std::byte> buffer_;
  std::size_t size_;
};

struct Case {
  Shape shape;
  std::uint64_t seed;
  unsigned density;  // of the bits before: 0 .. 3 quarters
};

template <class L>
void expect_same_as_scalar(const Case& c, std::span<const Hash> hashes, auto keys) {
  OddBytes expected(L::size_bytes(c.shape), c.seed, c.density);
  OddBytes actual = expected, uncounted = expected;
  const auto fresh = std::make_unique<bool[]>(keys.size() + 1), answers = std::make_unique<bool[]>(keys.size() + 1);

  std::uint64_t maybes = 0;
  const std::uint64_t answered = kernels::may_contain(c.shape, actual.bytes(), keys, answers.get());
  for (std::size_t i = 0; i < keys.size(); ++i) {
    ASSERT_EQ(answers[i], L::may_contain(c.shape, expected.bytes(), hashes[i])) << "key " << i;
    maybes += answers[i];
  }
  EXPECT_EQ(answered, maybes);
  ASSERT_EQ(actual, expected);

  const std::uint64_t inserted = kernels::insert(c.shape, actual.bytes(), keys, fresh.get());
  std::uint64_t changed = 0;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    const bool is_fresh = L::insert(c.shape, expected.bytes(), hashes[i]);
    ASSERT_EQ(fresh[i], is_fresh) << "key " << i;
    changed += is_fresh;
  }
  EXPECT_EQ(inserted, changed);
  ASSERT_TRUE(actual == expected);

  EXPECT_EQ(kernels::insert(c.shape, uncounted.bytes(), keys, nullptr), changed);
  ASSERT_TRUE(uncounted == expected);
  EXPECT_EQ(kernels::may_contain(c.shape, actual.bytes(), keys, answers.get()), keys.size());
}

template <class L>
void expect_same_for_all_keys(const Case& c, std::size_t batch) {
  const auto words = random_words(batch, c.seed + 1);
  const auto hashes = hashes_of(words, false), word_hashes = hashes_of(words, true);
  expect_same_as_scalar<L>(c, hashes, std::span<const Hash>(hashes));
  expect_same_as_scalar<L>(c, word_hashes, std::span<const std::uint64_t>(words));
}

class EachKernel : public testing::TestWithParam<std::string_view> {
 protected:
  void SetUp() override {
    before_ = active_kernel();
    ASSERT_TRUE(use_kernel(GetParam()));
    ASSERT_EQ(active_kernel(), GetParam());
  }
  void TearDown() override { ASSERT_TRUE(use_kernel(before_)); }

 private:
  std::string_view before_;
};

Shape blocked(std::uint64_t lines, unsigned probes, unsigned lines_per_key) {
  return {.kind = Kind::blocked,
          .probes = static_cast<std::uint8_t>(probes),
          .lines_per_key = static_cast<std::uint8_t>(lines_per_key),
          .cells = lines};
}

TEST_P(EachKernel, DoesWhatTheScalarBlockedLayoutDoes) {
  std::uint64_t seed = 0;
  for (unsigned k = 1; k <= Blocked::kMaxProbes; ++k)
    for (unsigned r = 1; r <= Blocked::kMaxLinesPerKey; ++r)
      for (std::uint64_t lines : {1U, 2U, 3U, 7U, 1000U})
        for (std::size_t batch : kBatchSizes) {
          SCOPED_TRACE(testing::Message() << "k " << k << " r " << r << " lines " << lines << " batch " << batch);
          if (++seed % 3 != r % 3 && batch > 65) continue;  // the long batches for a third of the rest
          const unsigned density = lines < 1000 && batch > 100 ? 0 : static_cast<unsigned>(seed % 4);
          expect_same_for_all_keys<Blocked>({blocked(lines, k, r), seed, density}, batch);
          if (HasFatalFailure()) return;
        }
}

TEST_P(EachKernel, DoesSoInSegmentsThatArePrefetched) {
  std::uint64_t seed = 0;
  for (unsigned k = 1; k <= Blocked::kMaxProbes; ++k)
    for (unsigned r : {1U, 1 + k % 8})
      for (std::size_t batch : {std::size_t{1}, std::size_t{47}, std::size_t{49}, std::size_t{5000}}) {
        if (batch < 1000 && k != 6) continue;
        SCOPED_TRACE(testing::Message() << "k " << k << " r " << r << " batch " << batch);
        ++seed;
        expect_same_for_all_keys<Blocked>({blocked((1 << 15) + 1, k, r), seed, 3}, batch);
        if (HasFatalFailure()) return;
      }
}

TEST_P(EachKernel, KeepsToTheOrderOfTheBatch) {
  const Shape shape = blocked(1, 1, 1);  // nearly every key meets the bit of an earlier one
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    expect_same_for_all_keys<Blocked>({shape, seed, 0}, 300);
    if (HasFatalFailure()) return;
  }
}

// Segments of their own, and the same bits as lines that take turns.
class Interleaved {
 public:
  Interleaved(std::vector<Shape> shapes, std::uint64_t seed, unsigned density) : shapes_(std::move(shapes)) {
    const std::uint64_t lines = shapes_[0].cells;
    bytes_.resize(kBefore + lines * shapes_.size() * Blocked::kLineBytes + kAfter, std::byte{0xA5});
    for (std::size_t w = 0; w < shapes_.size(); ++w) {
      apart_.emplace_back(Blocked::size_bytes(shapes_[w]), seed + w, density);
      for (std::uint64_t i = 0; i < lines; ++i)
        std::memcpy(this->lines(w).at(i), apart_[w].bytes().data() + i * Blocked::kLineBytes, Blocked::kLineBytes);
    }
  }
  Blocked::WritableLines lines(std::size_t way) {
    return Blocked::WritableLines(bytes_.data() + kBefore + way * Blocked::kLineBytes,
                                  shapes_.size() * Blocked::kLineBytes);
  }
  bool may_contain(Hash h) {
    for (std::size_t w = 0; w < shapes_.size(); ++w)
      if (Blocked::may_contain(shapes_[w], apart_[w].bytes(), h)) return true;
    return false;
  }
  bool insert_apart(std::size_t way, Hash h) { return Blocked::insert(shapes_[way], apart_[way].bytes(), h); }
  bool same_bits() {
    for (std::size_t w = 0; w < shapes_.size(); ++w)
      for (std::uint64_t i = 0; i < shapes_[0].cells; ++i)
        if (std::memcmp(lines(w).at(i), apart_[w].bytes().data() + i * Blocked::kLineBytes, Blocked::kLineBytes) != 0)
          return false;
    const auto guard = [](std::byte b) { return b == std::byte{0xA5}; };
    return std::all_of(bytes_.begin(), bytes_.begin() + kBefore, guard) &&
           std::all_of(bytes_.end() - kAfter, bytes_.end(), guard);
  }
  kernels::Ways first_ways(std::size_t count) {
    kernels::Ways ways{.lines = Blocked::Lines(lines(0).first, lines(0).stride), .count = count};
    std::copy(shapes_.begin(), shapes_.end(), ways.shapes.begin());
    return ways;
  }

 private:
  static constexpr std::ptrdiff_t kBefore = 5, kAfter = 67;
  std::vector<Shape> shapes_;
  std::vector<std::byte> bytes_;
  std::vector<OddBytes> apart_;
};

TEST_P(EachKernel, AsksWaysAsTheScalarLayoutAsksSegments) {
  std::uint64_t seed = 0;
  for (std::size_t ways = 1; ways <= kernels::Ways::kMost; ++ways)
    for (std::uint64_t lines : {1U, 3U, 1000U, 20'000U})
      for (std::size_t batch : kBatchSizes) {
        if (lines == 20'000 && batch < 1000) continue;
        SCOPED_TRACE(testing::Message() << "ways " << ways << " lines " << lines << " batch " << batch);
        std::vector<Shape> shapes;
        for (std::size_t w = 0; w < ways; ++w, ++seed)
          shapes.push_back({.kind = Kind::blocked,
                            .probes = static_cast<std::uint8_t>(1 + (seed * 5 + w) % Blocked::kMaxProbes),
                            .lines_per_key = static_cast<std::uint8_t>(1 + (seed + w * w) % 3),
                            .cells = lines});
        ++seed;
        Interleaved both(shapes, seed, static_cast<unsigned>(seed % 4));
        const auto hashes = hashes_of(random_words(batch, seed), false);
        const auto out = std::make_unique<bool[]>(batch + 1);
        std::uint64_t maybes = 0;
        const std::uint64_t answered = kernels::any_way_may_contain(both.first_ways(ways), hashes, out.get());
        for (std::size_t i = 0; i < batch; ++i) {
          ASSERT_EQ(out[i], both.may_contain(hashes[i])) << "key " << i;
          maybes += out[i];
        }
        EXPECT_EQ(answered, maybes);
        const std::size_t last = ways - 1;
        kernels::insert(shapes[last], both.lines(last), hashes, out.get());
        for (std::size_t i = 0; i < batch; ++i) ASSERT_EQ(out[i], both.insert_apart(last, hashes[i])) << "key " << i;
        ASSERT_TRUE(both.same_bits());
        EXPECT_EQ(kernels::any_way_may_contain(both.first_ways(ways), hashes, out.get()), batch);
      }
}

TEST_P(EachKernel, AsksTheFirstWaysOnly) {
  Interleaved both(std::vector<Shape>(4, blocked(50, 3, 1)), 1, 0);
  const auto hashes = hashes_of(random_words(100, 1), false);
  const auto out = std::make_unique<bool[]>(100);
  kernels::insert(blocked(50, 3, 1), both.lines(2), hashes, nullptr);
  EXPECT_EQ(kernels::any_way_may_contain(both.first_ways(2), hashes, out.get()), 0u);
  EXPECT_EQ(kernels::any_way_may_contain(both.first_ways(3), hashes, out.get()), 100u);
}

INSTANTIATE_TEST_SUITE_P(Kernels, EachKernel, testing::ValuesIn(available_kernels()),
                         [](const auto& kernel) { return std::string(kernel.param); });

TEST(ClassicBatch, DoesWhatTheScalarLayoutDoes) {
  std::uint64_t seed = 0;
  for (std::uint64_t bits : {1U, 7U, 64U, 1001U, 20'000'003U})
    for (unsigned k : {1U, 2U, 7U, 30U})
      for (std::uint8_t rule : {Classic::kArticleRule, Classic::kMixedRule})
        for (std::size_t batch : kBatchSizes) {
          if (bits > 10'000 && batch < 100 && batch != 2) continue;
          SCOPED_TRACE(testing::Message() << "bits " << bits << " k " << k << " rule " << +rule << " batch " << batch);
          const Shape shape{
              .kind = Kind::classic, .rule = rule, .probes = static_cast<std::uint8_t>(k), .cells = bits};
          ++seed;
          expect_same_for_all_keys<Classic>({shape, seed, static_cast<unsigned>(seed % 4)}, batch);
          if (HasFatalFailure()) return;
        }
}

TEST(Kernel, ChoiceIsByName) {
  const auto names = available_kernels();
  ASSERT_FALSE(names.empty());
  EXPECT_EQ(names.back(), "scalar");
  const std::string_view before = active_kernel();
  const auto refused = use_kernel("pentium");
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, Errc::invalid_argument);
  EXPECT_NE(refused.error().message.find("'pentium'"), std::string::npos);
  EXPECT_NE(refused.error().message.find("scalar"), std::string::npos);
  EXPECT_EQ(active_kernel(), before);
}

}  // namespace
}  // namespace bloomery
