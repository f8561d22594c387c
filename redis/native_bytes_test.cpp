// Filters of our own in pieces: the same filter, or refused.
#include <xxhash.h>

#include <cstring>
#include <random>

#include "bloomery/file.hpp"
#include "redis/native_testing.hpp"

namespace bloomery::redis {
namespace {

using NativeBytes = NativeTest;

TEST_F(NativeBytes, PiecesMakeTheSameFilter) {
  std::vector<std::unique_ptr<Native>> natives;
  natives.push_back(Native::create(Kind::blocked, 0.001, 100, 2));
  natives.push_back(Native::create(Kind::counting, 0.001, 3000, 0));
  natives.push_back(Native::create(Kind::windowed, 0.001, 500, 0));
  natives.push_back(timed(500, 60));
  natives.push_back(timed(500, 60, true));
  for (const auto& native : natives) {
    add(*native, 0, 2000);
    for (const std::uint64_t piece_bytes : {1u, 7u, 4096u, 1u << 30}) {
      const auto twin = moved(*native, piece_bytes);
      ASSERT_TRUE(twin);
      EXPECT_EQ(whole(*twin), whole(*native));
      EXPECT_EQ(twin->describe(), native->describe());
      add(*twin, 5000, 5100);
      auto copy = native->clone();
      add(static_cast<Native&>(*copy), 5000, 5100);
      EXPECT_EQ(whole(*twin), whole(static_cast<Native&>(*copy)));
    }
  }
}

// Behind the words.
TEST_F(NativeBytes, PiecesAreAFile) {
  std::vector<std::unique_ptr<Native>> natives;
  natives.push_back(Native::create(Kind::blocked, 0.001, 100, 2));
  natives.push_back(Native::create(Kind::blocked, 0.001, 5000, 2));  // with padding
  natives.push_back(Native::create(Kind::counting, 0.001, 3000, 0));
  natives.push_back(timed(500, 60));
  for (const auto& native : natives) {
    add(*native, 0, 30'000);
    const std::string file = whole(*native).substr(sizeof(Native::Words));
    const ConstBytes bytes(reinterpret_cast<const std::byte*>(file.data()), file.size());
    ASSERT_TRUE(verify(bytes));
    const auto filter = decode(bytes);
    ASSERT_TRUE(filter);
    for (int i = 0; i < 30'000; ++i) {
      const std::string item = std::to_string(i);
      ASSERT_EQ(filter->may_contain(item), native->may_contain(item)) << i;
    }
  }
}

TEST_F(NativeBytes, PaddingIsZeroAndHasItsSize) {
  const auto native = Native::create(Kind::blocked, 0.001, 5000, 2);
  add(*native, 0, 30'000);
  std::uint64_t offset = 0, padding = 0;
  for (auto run = native->run(0, kMaxRunBytes); !run.empty(); run = native->run(offset, kMaxRunBytes)) {
    const auto twin = moved(*native);
    if (run.size() < 4096) {  // no segment is as small
      ++padding;
      EXPECT_EQ(run, std::string(run.size(), '\0'));
      EXPECT_EQ(twin->store(offset, run), Bloom::Stored::yes);
      EXPECT_EQ(twin->store(offset + 1, run), Bloom::Stored::too_long);
      std::string wrong(run);
      wrong.back() = 1;
      EXPECT_EQ(twin->store(offset, wrong), Bloom::Stored::too_long);
      EXPECT_EQ(whole(*twin), whole(*native));
    }
    offset += run.size();
  }
  EXPECT_GT(padding, 0u);
}

TEST_F(NativeBytes, RefusesHeadsThatItDidNotMake) {
  const auto native = timed(500, 60);
  const std::string head = native->header();
  ASSERT_TRUE(Native::from_header(head));
  for (std::size_t end = 0; end < head.size(); ++end) EXPECT_FALSE(Native::from_header(head.substr(0, end)));
  const auto with_word = [&](std::size_t word, std::uint64_t value) {
    std::string changed = head;
    std::memcpy(changed.data() + 8 * word, &value, sizeof value);
    return changed;
  };
  EXPECT_FALSE(Native::from_header(with_word(0, 2)));                  // a window does not grow
  EXPECT_FALSE(Native::from_header(with_word(1, ~std::uint64_t{0})));  // too long
  EXPECT_FALSE(Native::from_header(with_word(1, 0)));                  // of items, and began
  EXPECT_FALSE(Native::from_header(with_word(2, ~std::uint64_t{0})));  // too late
  EXPECT_FALSE(Native::from_header(with_word(3, 9)));                  // more than the most
  for (std::size_t at = 40; at < head.size(); ++at) {
    std::string changed = head;
    changed[at] ^= 1;
    EXPECT_FALSE(Native::from_header(changed)) << at;
  }
  const std::string no_clock(40, '\0');
  EXPECT_TRUE(Native::from_header(no_clock + head.substr(40)));                             // of items, then
  EXPECT_FALSE(Native::from_header(no_clock + timed(500, 60, true)->header().substr(40)));  // would never turn
  const auto blocked = Native::create(Kind::blocked, 0.01, 100, 2);
  std::string clocked = blocked->header();
  clocked[8] = 1;
  EXPECT_FALSE(Native::from_header(clocked));  // a clock without a window
}

TEST_F(NativeBytes, HostileHeadsAreRefusedOrSafe) {
  std::mt19937_64 dice(11);
  const std::uint8_t values[] = {0, 1, 2, 3, 0x7f, 0x80, 0xff};
  std::vector<std::string> heads;
  heads.push_back(Native::create(Kind::blocked, 0.001, 100, 2)->header());
  heads.push_back(Native::create(Kind::counting, 0.001, 100, 0)->header());
  heads.push_back(Native::create(Kind::windowed, 0.001, 50, 0)->header());
  heads.push_back(timed(50, 60, true)->header());
  refuse_from = std::size_t{1} << 22;
  int taken = 0;
  for (int i = 0; i < 20'000; ++i) {
    std::string head = heads[dice() % heads.size()];
    for (std::uint64_t j = dice() % 3; j <= 2; ++j) head[dice() % head.size()] = static_cast<char>(values[dice() % 7]);
    const std::size_t blm = 40, end = head.size() - 8;
    const std::uint64_t sum = XXH3_64bits(head.data() + blm, end - blm);
    std::memcpy(head.data() + end, &sum, sizeof sum);
    const auto native = Native::from_header(head);
    if (!native) continue;
    ++taken;
    std::string bytes(dice() % 300, '\0');
    for (char& byte : bytes) byte = static_cast<char>(dice());
    native->store(dice() % 10'000, bytes);
    add_now(*native, 0, 10);
    found(*native, 0, 10);
    now_ms += 1 << (dice() % 20);
    add_now(*native, 10, 100);
    found(*native, 0, 10);
    native->turn(static_cast<long long>(dice() >> 4));
    if (native->counts()) native->erase("3");
    native->estimate();
    native->describe();
    EXPECT_TRUE(native->clone());
    EXPECT_TRUE(Native::from_header(native->header()));
  }
  EXPECT_GT(taken, 500);
}

TEST_F(NativeBytes, ASealFitsOnePieceInOnePlace) {
  const std::string piece = sealed("piece", 7);
  EXPECT_EQ(piece.size(), 5 + kSealBytes);
  EXPECT_EQ(unsealed(piece, 7), "piece");
  EXPECT_FALSE(unsealed(piece, 8));
  EXPECT_FALSE(unsealed("short", 7));
  EXPECT_FALSE(unsealed(piece + "x", 7));
}

}  // namespace
}  // namespace bloomery::redis
