// The measured false-positive rate lies within a stated band of the rate that the plan says is achieved.
#include <gtest/gtest.h>

#include <cstdio>
#include <string>
#include <vector>

#include "bloomery/plan.hpp"
#include "plan/coincidence.hpp"
#include "plan/line_rates.hpp"
#include "plan/measured_test.hpp"

namespace bloomery {
namespace {

using testing_rates::by_asking;
using testing_rates::from_bits;
using testing_rates::Measured;
using testing_rates::Random;
using testing_rates::slow_tests;

template <class L>
class MeasuredRate : public ::testing::Test {};
using Probabilistic = ::testing::Types<Classic, Blocked, Counting>;
TYPED_TEST_SUITE(MeasuredRate, Probabilistic);

// From the bits, so that rates no one could wait for are measured too.
TYPED_TEST(MeasuredRate, OfTinyFiltersIsTheAchievedOne) {
  Random random(11);
  for (const std::uint64_t keys : {1u, 2u, 3u, 5u, 10u, 20u, 64u})
    for (const double fpr : {0.5, 0.1, 0.01, 1e-3, 1e-4, 1e-6, 1e-9, 1e-12}) {
      const Plan p = *plan({.kind = TypeParam::kind, .keys = keys, .fpr = fpr});
      const unsigned filters = static_cast<unsigned>((slow_tests() ? 4'000'000 : 100'000) / (keys + 10));
      const Measured m = from_bits<TypeParam>(p.shape, keys, filters, random);
      EXPECT_TRUE(m.agrees(p.fpr, 0.03)) << keys << " keys at " << fpr << ": measured " << m.rate << " +- " << m.error
                                         << ", achieved " << p.fpr;
    }
}

// By asking, so that what the probes of one key have to do with each other is measured too.
TYPED_TEST(MeasuredRate, OfStrangersIsTheAchievedOne) {
  Random random(12);
  for (const std::uint64_t keys : {1u, 2u, 5u, 20u, 64u, 200u})
    for (const double fpr : {0.5, 0.1, 0.01, 1e-3, 1e-4, 1e-6}) {
      if (fpr < 1e-3 && !slow_tests()) continue;
      const Plan p = *plan({.kind = TypeParam::kind, .keys = keys, .fpr = fpr});
      const unsigned filters = 500, strangers = slow_tests() ? 200'000 : 1000;
      const Measured m = by_asking<TypeParam>(p.shape, keys, filters, strangers, random);
      EXPECT_TRUE(m.agrees(p.fpr, 0.015)) << keys << " keys at " << fpr << ": measured " << m.rate << " +- " << m.error
                                          << ", achieved " << p.fpr;
    }
}

TYPED_TEST(MeasuredRate, OfLargeFiltersIsTheAchievedOne) {
  Random random(13);
  for (const std::uint64_t keys : {10'000u, 1'000'000u})
    for (const double fpr : {0.5, 0.1, 0.01, 1e-3, 1e-4, 1e-6}) {
      if ((fpr < 1e-4 || (keys > 10'000 && fpr < 1e-2)) && !slow_tests()) continue;
      const Plan p = *plan({.kind = TypeParam::kind, .keys = keys, .fpr = fpr});
      const unsigned strangers = slow_tests() ? 100'000'000 : 1'000'000;
      const Measured m = by_asking<TypeParam>(p.shape, keys, 1, strangers, random);
      EXPECT_TRUE(m.agrees(p.fpr, 0.015)) << keys << " keys at " << fpr << ": measured " << m.rate << " +- " << m.error
                                          << ", achieved " << p.fpr;
    }
}

TYPED_TEST(MeasuredRate, OfTenMillionKeysIsTheAchievedOne) {
  Random random(14);
  for (const double fpr : {0.01, 1e-4, 1e-6}) {
    if (fpr < 0.01 && !slow_tests()) continue;
    const Plan p = *plan({.kind = TypeParam::kind, .keys = 10'000'000, .fpr = fpr});
    const unsigned strangers = slow_tests() ? 100'000'000 : 1'000'000;
    const Measured m = by_asking<TypeParam>(p.shape, 10'000'000, 1, strangers, random);
    EXPECT_TRUE(m.agrees(p.fpr, 0.015)) << fpr << ": measured " << m.rate << " +- " << m.error << ", achieved "
                                        << p.fpr;
  }
}

struct Setting {
  double bits_per_key;
  unsigned lines_per_key, hashes;
  double fpr;
};

// The figures that the layout was chosen for, measured then with 10^8 strangers: the rarer, the rougher.
TEST(BlockedRates, AreThoseOfTheLayout) {
  const Setting settings[] = {{8, 1, 5, 0.02330},     {10, 1, 6, 0.00969},   {12, 1, 7, 0.00418}, {16, 1, 8, 0.000916},
                              {14.66, 2, 5, 9.9e-4},  {19.89, 2, 6, 9.8e-5}, {24.59, 3, 5, 1.00e-5}};
  Random random(14);
  const std::uint64_t keys = slow_tests() ? 4'000'000 : 400'000;
  for (const Setting& setting : settings) {
    const Plan p = *plan({.keys = keys, .bits_per_key = setting.bits_per_key, .hashes = setting.hashes,
                          .lines_per_key = setting.lines_per_key});
    const double band = 0.015 + 1 / std::sqrt(setting.fpr * 1e8);
    EXPECT_NEAR(p.fpr, setting.fpr, band * setting.fpr) << setting.bits_per_key;
    const Measured m = by_asking<Blocked>(p.shape, keys, 1, slow_tests() ? 100'000'000 : 2'000'000, random);
    EXPECT_TRUE(m.agrees(setting.fpr, band)) << setting.bits_per_key << " bits per key: measured " << m.rate << " +- "
                                              << m.error << ", was " << setting.fpr;
    if (slow_tests())
      std::printf("%5.2f bits per key, %u x %u: measured %.4g +- %.1g, planned %.4g\n", setting.bits_per_key,
                  setting.lines_per_key, setting.hashes, m.rate, m.error, p.fpr);
  }
}

// Any shape, not only those that plans make: a few lines, several of them for each key.
TEST(BlockedRates, OfFewLinesAllowForCoincidence) {
  Random random(15);
  for (const unsigned r : {1u, 2u, 3u, 4u})
    for (const std::uint64_t lines : {1u, 2u, 3u, 10u})
      for (const unsigned k : {4u, 8u})
        for (const std::uint64_t bits_per_key : {10u, 30u}) {
          const Shape shape{.probes = static_cast<std::uint8_t>(k), .lines_per_key = static_cast<std::uint8_t>(r),
                            .cells = lines};
          const std::uint64_t keys = 512 * lines / bits_per_key;
          const Measured m = from_bits<Blocked>(shape, keys, slow_tests() ? 50'000 : 1000, random);
          EXPECT_TRUE(m.agrees(expected_fpr(shape, keys), 0.02))
              << r << " of " << lines << " lines, " << k << " bits, " << keys << " keys: measured " << m.rate << " +- "
              << m.error << ", expected " << expected_fpr(shape, keys);
        }
}

// What is fitted is on the safe side, and right from 16 patterns in a line on.
TEST(BlockedRates, OfOneLineHoldingSeveralPatterns) {
  Random random(16);
  for (unsigned k = 1; k <= 8; ++k)
    for (const std::uint64_t load : {4u, 16u, 40u, 80u})
      for (const unsigned patterns : {2u, 4u}) {
        const Shape shape{.probes = static_cast<std::uint8_t>(k), .cells = 1};
        const Measured m = testing_rates::over_filters<Blocked>(
            shape, load, 3000, random,
            [&](const Shape& s, ConstBytes bytes) { return std::pow(Blocked::current_fpr(s, bytes), patterns); });
        const double model = plan_model::SharedRates::of(k, patterns).at(static_cast<double>(load));
        const double above = load < 16 ? 0.8 : 0.2, below = 0.02;
        EXPECT_LE(model, m.rate * (1 + above) + 5 * m.error) << "k " << k << " load " << load << " m " << patterns;
        EXPECT_GE(model, m.rate * (1 - below) - 5 * m.error) << "k " << k << " load " << load << " m " << patterns;
      }
}

TYPED_TEST(MeasuredRate, AndTheNumberOfKeysAreReadFromTheBits) {
  Random random(17);
  for (const std::uint64_t keys : {1000u, 100'000u}) {
    const Plan p = *plan({.kind = TypeParam::kind, .keys = keys, .fpr = 1e-4});
    for (const std::uint64_t inserted : {keys / 10, keys, 3 * keys}) {
      const auto fill_of = [](const Shape& s, ConstBytes bytes) { return TypeParam::fill_ratio(s, bytes); };
      const Measured fill = testing_rates::over_filters<TypeParam>(p.shape, inserted, 1, random, fill_of);
      const double estimate = estimated_keys(p.shape, fill.rate).value();
      EXPECT_NEAR(estimate / static_cast<double>(inserted), 1, keys > 1000 ? 0.01 : 0.05) << inserted;
    }
  }
}

// Every hasher makes ideal words of keys of every shape.
std::string key_of(unsigned shape, std::uint64_t i) {
  std::uint64_t word = i;
  switch (shape) {
    case 0: break;                                    // sequential, little-endian
    case 1: word = 0;                                 // bit-reversed
      for (int bit = 0; bit < 64; ++bit) word |= ((i >> bit) & 1) << (63 - bit);
      break;
    case 2: word = __builtin_bswap64(i); break;       // big-endian
    case 3: return std::to_string(i);
    case 4: return "https://example.org/item/" + std::to_string(i / 10) + "?page=" + std::to_string(i % 10);
    default: {                                        // as short as it can be: 1-8 bytes
      std::string key(reinterpret_cast<const char*>(&word), 8);
      while (key.size() > 1 && key.back() == 0) key.pop_back();
      return key;
    }
  }
  return {reinterpret_cast<const char*>(&word), 8};
}

TYPED_TEST(MeasuredRate, DoesNotDependOnTheShapeOfKeys) {
  constexpr std::uint64_t kKeys = 50'000, kStrangers = 200'000;
  SecretKey secret{};
  secret[0] = std::byte{1};
  for (const Hasher& hasher :
       {Hasher::xxh3(), Hasher::xxh3(77), Hasher::murmur3(), Hasher::siphash(secret), Hasher::aes(), Hasher::aes(77)})
    for (unsigned shape_of_keys = 0; shape_of_keys < 6; ++shape_of_keys) {
      const bool article = TypeParam::kind == Kind::classic && hasher.id == HashId::murmur3;
      const Plan p = *plan({.kind = TypeParam::kind, .keys = kKeys, .fpr = 0.01, .article = article});
      std::vector<std::byte> bytes(p.size_bytes);
      for (std::uint64_t i = 0; i < kKeys; ++i) TypeParam::insert(p.shape, bytes, hasher(key_of(shape_of_keys, i)));
      double maybes = 0;
      for (std::uint64_t i = kKeys; i < kKeys + kStrangers; ++i)
        maybes += TypeParam::may_contain(p.shape, bytes, hasher(key_of(shape_of_keys, i)));
      const double rate = maybes / kStrangers;
      EXPECT_NEAR(rate, p.fpr, 5 * std::sqrt(p.fpr / kStrangers) + 0.015 * p.fpr)
          << name(hasher.id) << ", keys of shape " << shape_of_keys;
    }
}

}  // namespace
}  // namespace bloomery
