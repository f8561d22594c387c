#include "bloomery/layout/counting.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>
#include <vector>

namespace bloomery {
namespace {

Shape shape_of(unsigned cell_bits, std::uint8_t rule, unsigned probes) {
  return {.kind = Kind::counting,
          .rule = rule,
          .probes = static_cast<std::uint8_t>(probes),
          .cell_bits = static_cast<std::uint8_t>(cell_bits),
          .cells = rule == Counting::kLineRule ? 9 * 512u / cell_bits : 611};
}

std::uint64_t value_by_bits(const Shape& s, ConstBytes bytes, std::uint64_t cell) {  // bit by bit, from the words of the header
  std::uint64_t value = 0;
  for (unsigned b = 0; b < s.cell_bits; ++b) {
    const std::uint64_t bit = cell * s.cell_bits + b;
    value |= (std::to_integer<std::uint64_t>(bytes[bit / 8] >> (bit % 8)) & 1) << b;
  }
  return value;
}

// The set of counters of a key by the words of the header.
std::set<std::uint64_t> cells_by_words(const Shape& s, Hash h) {
  std::set<std::uint64_t> cells;
  if (s.rule == Counting::kSpreadRule) {
    for (std::uint64_t i = 0; i < s.probes; ++i) cells.insert(high64(mix(h.lo + i * (h.hi | 1)), s.cells));
    return cells;
  }
  const Shape blocked{.kind = Kind::blocked, .probes = s.probes, .cells = s.cells * s.cell_bits / 512};
  std::vector<std::byte> bits(Blocked::size_bytes(blocked));
  Blocked::insert(blocked, bits, h);
  for (std::uint64_t bit = 0; bit < bits.size() * 8; ++bit)
    if (std::to_integer<unsigned>(bits[bit / 8] >> (bit % 8)) & 1) cells.insert(bit / s.cell_bits);
  return cells;
}

TEST(CountingLayout, AgreesWithAListOfCounters) {
  for (const unsigned cell_bits : {2u, 4u, 8u, 16u})
    for (const std::uint8_t rule : {Counting::kSpreadRule, Counting::kLineRule})
      for (const unsigned probes : {1u, 2u, 5u, 8u}) {
        const Shape s = shape_of(cell_bits, rule, probes);
        ASSERT_TRUE(Counting::check(s));
        std::vector<std::byte> bytes(Counting::size_bytes(s));
        std::vector<std::uint64_t> model(s.cells);
        const std::uint64_t most = (1u << cell_bits) - 1;
        std::mt19937_64 random(cell_bits * 100 + rule * 10 + probes);
        for (int i = 0; i < 3000; ++i) {
          const Hash h{mix(random() % 200), mix(random() % 3)};
          const auto cells = cells_by_words(s, h);
          const bool in = std::all_of(cells.begin(), cells.end(), [&](auto c) { return model[c] != 0; });
          ASSERT_EQ(Counting::may_contain(s, bytes, h), in);
          if (random() % 3 != 0) {
            ASSERT_EQ(Counting::insert(s, bytes, h), !in);
            for (const auto c : cells) model[c] = std::min(model[c] + 1, most);
          } else {
            ASSERT_EQ(Counting::erase(s, bytes, h), in);
            if (in)
              for (const auto c : cells) model[c] -= model[c] != most;
          }
        }
        for (std::uint64_t c = 0; c < s.cells; ++c) ASSERT_EQ(value_by_bits(s, bytes, c), model[c]) << c;
        const auto above = std::count_if(model.begin(), model.end(), [](auto v) { return v != 0; });
        EXPECT_DOUBLE_EQ(Counting::fill_ratio(s, bytes), static_cast<double>(above) / static_cast<double>(s.cells));
      }
}

TEST(CountingLayout, CurrentRateIsTheShareOfStrangersAccepted) {
  for (const unsigned cell_bits : {2u, 4u, 8u, 16u}) {
    const Shape s = shape_of(cell_bits, Counting::kLineRule, 3);
    std::vector<std::byte> bytes(Counting::size_bytes(s));
    std::mt19937_64 random(cell_bits);
    const std::uint64_t keys = s.cells / 6;
    for (std::uint64_t i = 0; i < keys; ++i) Counting::insert(s, bytes, {random(), random()});
    int accepted = 0;
    constexpr int kAsked = 400'000;
    for (int i = 0; i < kAsked; ++i) accepted += Counting::may_contain(s, bytes, {random(), random()});
    EXPECT_NEAR(accepted / double{kAsked}, Counting::current_fpr(s, bytes), 0.003);
  }
}

TEST(CountingLayout, ChecksItsShape) {
  const Shape good = shape_of(4, Counting::kLineRule, 5);
  EXPECT_TRUE(Counting::check(good));
  const auto refused = [&](auto change) {
    Shape s = good;
    change(s);
    const auto checked = Counting::check(s);
    return !checked && checked.error().code == Errc::invalid_argument;
  };
  EXPECT_TRUE(refused([](Shape& s) { s.rule = 0; }));
  EXPECT_TRUE(refused([](Shape& s) { s.rule = 3; }));
  EXPECT_TRUE(refused([](Shape& s) { s.cell_bits = 1; }));
  EXPECT_TRUE(refused([](Shape& s) { s.cell_bits = 12; }));
  EXPECT_TRUE(refused([](Shape& s) { s.cell_bits = 32; }));
  EXPECT_TRUE(refused([](Shape& s) { s.probes = 9; }));
  EXPECT_TRUE(refused([](Shape& s) { s.probes = 0; }));
  EXPECT_TRUE(refused([](Shape& s) { s.cells += 1; }));
  EXPECT_TRUE(refused([](Shape& s) { s.cells = 0; }));
  EXPECT_TRUE(refused([](Shape& s) { s.cells = std::uint64_t{1} << 49; }));
  EXPECT_TRUE(refused([](Shape& s) { s.lines_per_key = 2; }));
  EXPECT_TRUE(refused([](Shape& s) { s.salt = 1; }));
}

}  // namespace
}  // namespace bloomery
