#include "hash/aes.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <memory>
#include <string>
#include <unordered_set>
#include <vector>

namespace bloomery {
namespace {

std::uint64_t random_word(std::uint64_t& state) { return mix(mix(state += 0x9E3779B97F4A7C15) + 1); }

std::string random_key(std::size_t size, std::uint64_t& state) {
  std::string key(size, '\0');
  for (char& c : key) c = static_cast<char>(random_word(state));
  return key;
}

std::string counting(std::size_t size) {
  std::string key;
  for (std::size_t i = 0; i < size; ++i) key.push_back(static_cast<char>(i));
  return key;
}

// FIPS 197, appendix B: the first round.
TEST(AesHash, TheRoundIsThatOfTheStandard) {
  const AesBlock start = {0x2be2f4a0bee33d19, 0x0848f8e92a8dc69a};
  const AesBlock key = {0xb12c548817fefaa0, 0x05766c2a3939a323};
  EXPECT_EQ(aes_round(start, key), (AesBlock{0x2b359f68f27f9ca4, 0x49506a0243ea5b6b}));
}

// Computed by tests/format/aes.py, which was written from docs/format.md.
TEST(AesHash, AgreesWithAnIndependentImplementation) {
  EXPECT_EQ(aes_hash_portable("", 0), (Hash{0xf28ce175dd2ad843, 0x56072c312a6339a6}));
  EXPECT_EQ(aes_hash_portable("a", 0), (Hash{0xc9026e364e91223b, 0x065f138e713ff4fb}));
  EXPECT_EQ(aes_hash_portable("bloomery", 0), (Hash{0x5731ffe31371dfc0, 0x5e9ebcc58d554fa5}));
  EXPECT_EQ(aes_hash_portable("0123456789abcdef", 1), (Hash{0x761f128cc14efaf3, 0xca5f7441bde1a483}));
  EXPECT_EQ(aes_hash_portable(counting(64), 0), (Hash{0xd055bb0162b82c84, 0x19cd29b6ccc0afdc}));
  EXPECT_EQ(aes_hash_portable(counting(65), 0), (Hash{0xc28af74250a1749c, 0x0ef8a539bb77647d}));
  EXPECT_EQ(aes_hash_portable(counting(200), 0x0123456789abcdef), (Hash{0xe00b928fc35f3bcc, 0x65c72460e1d208f6}));
}

// Each key in a block of its own size, so that a sanitizer sees what is read beside it.
TEST(AesHash, EveryKernelGivesTheSame) {
  std::uint64_t state = 1;
  EXPECT_EQ(aes_kernels().back()->name, "scalar");
  for (std::size_t size = 0; size < 400; ++size) {
    const std::string key = random_key(size, state);
    const auto tight = std::make_unique<char[]>(size);
    std::copy(key.begin(), key.end(), tight.get());
    const std::uint64_t seed = size % 3 == 0 ? 0 : random_word(state);
    for (const AesKernel* kernel : aes_kernels())
      EXPECT_EQ(kernel->hash_key({tight.get(), size}, seed), aes_hash_portable(key, seed)) << kernel->name << size;
  }
}

TEST(AesHash, ForcedKernelsAreUsed) {
  for (const AesKernel* kernel : aes_kernels()) {
    use_aes_kernel(kernel->name);
    EXPECT_EQ(aes_hash("bloomery", 0), (Hash{0x5731ffe31371dfc0, 0x5e9ebcc58d554fa5})) << kernel->name;
  }
  use_aes_kernel("no such kernel");  // the fastest
  EXPECT_EQ(aes_hash("bloomery", 0), (Hash{0x5731ffe31371dfc0, 0x5e9ebcc58d554fa5}));
}

// A change of any bit of the key changes each bit of the hash half of the time.
TEST(AesHash, EveryBitDependsOnEveryBit) {
  constexpr int kKeys = 60;
  std::uint64_t state = 2;
  for (const std::size_t size : {1u, 4u, 8u, 15u, 16u, 24u, 47u, 64u, 65u, 80u, 130u}) {
    std::array<int, 128> flips = {};
    for (int k = 0; k < kKeys; ++k) {
      std::string key = random_key(size, state);
      const Hash before = aes_hash(key, 0);
      for (std::size_t bit = 0; bit < 8 * size; ++bit) {
        key[bit / 8] = static_cast<char>(key[bit / 8] ^ (1 << (bit % 8)));
        const Hash after = aes_hash(key, 0);
        key[bit / 8] = static_cast<char>(key[bit / 8] ^ (1 << (bit % 8)));
        int changed = 0;
        for (unsigned i = 0; i < 128; ++i) {
          const bool flip = (((i < 64 ? before.lo ^ after.lo : before.hi ^ after.hi) >> (i % 64)) & 1) != 0;
          flips[i] += flip;
          changed += flip;
        }
        EXPECT_GT(changed, 64 - 45) << size << " bytes, bit " << bit;  // 8 standard deviations
      }
    }
    const double trials = kKeys * 8.0 * static_cast<double>(size);
    for (const int count : flips) EXPECT_NEAR(count / trials, 0.5, 5.5 * 0.5 / std::sqrt(trials)) << size << " bytes";
  }
}

using MakeKey = std::function<std::string(std::uint64_t)>;

std::string with_number_at(std::size_t size, std::size_t at, std::uint64_t number) {
  std::string key(size, 'x');
  for (std::size_t i = 0; i < 4; ++i, number /= 10) key[at + i] = static_cast<char>('0' + number % 10);
  return key;
}

// Shapes of keys that weak hashes stumble over.
const std::pair<const char*, MakeKey> kShapes[] = {
    {"little-endian counters", [](std::uint64_t i) { return std::string(reinterpret_cast<const char*>(&i), 8); }},
    {"big-endian counters",
     [](std::uint64_t i) { return std::string(reinterpret_cast<const char*>(&(i = __builtin_bswap64(i))), 8); }},
    {"decimal", [](std::uint64_t i) { return std::to_string(i); }},
    {"URLs", [](std::uint64_t i) { return "https://example.org/item/" + std::to_string(i / 10) + "?page=" + std::to_string(i % 10); }},
    {"a shared prefix of 100 bytes", [](std::uint64_t i) { return std::string(100, 'p') + std::to_string(i); }},
    {"a shared suffix of 100 bytes", [](std::uint64_t i) { return std::to_string(i) + std::string(100, 's'); }},
    {"zeros", [](std::uint64_t i) { return std::string(i % 1000, '\0') + (i < 1000 ? "" : std::to_string(i)); }},
    {"numbers a stripe apart",
     [](std::uint64_t i) {
       std::string key = with_number_at(140, 16 + i % 48, i / 48 % 1000);
       return key.replace(80, 4, with_number_at(4, 0, i / 48'000));
     }},
    {"one bit among 1,024",
     [](std::uint64_t i) {
       std::string key(128 + i / 1024, '\0');
       key[i % 1024 / 8] = static_cast<char>(1 << (i % 8));
       return key;
     }},
};

// Chi-square over the lines of a filter: within five standard deviations of its mean.
void expect_even(const std::vector<std::uint64_t>& words, const std::string& what) {
  constexpr std::uint64_t kLines = 1000;
  std::vector<double> lines(kLines);
  for (const std::uint64_t word : words) ++lines[high64(word, kLines)];
  const double mean = static_cast<double>(words.size()) / kLines;
  double chi_square = 0;
  for (const double count : lines) chi_square += (count - mean) * (count - mean) / mean;
  EXPECT_NEAR(chi_square, kLines - 1, 5 * std::sqrt(2.0 * kLines)) << what;
  for (unsigned bit = 0; bit < 64; ++bit) {
    double ones = 0;
    for (const std::uint64_t word : words) ones += static_cast<double>(word >> bit & 1);
    const auto count = static_cast<double>(words.size());
    EXPECT_NEAR(ones / count, 0.5, 5 * 0.5 / std::sqrt(count)) << what << ", bit " << bit;
  }
}

TEST(AesHash, SpreadsEveryShapeOfKeys) {
  constexpr std::uint64_t kKeys = 40'000;
  for (const auto& [shape, make] : kShapes) {
    for (const std::uint64_t seed : {0u, 77u}) {
      std::vector<std::uint64_t> lo, hi;
      std::unordered_set<std::string> keys;
      for (std::uint64_t i = 0; i < kKeys; ++i) {
        const std::string key = make(i);
        if (!keys.insert(key).second) continue;
        const Hash h = aes_hash(key, seed);
        lo.push_back(h.lo);
        hi.push_back(h.hi);
      }
      const std::string what = std::string(shape) + ", seed " + std::to_string(seed);
      expect_even(lo, what + ", lo");
      expect_even(hi, what + ", hi");
      EXPECT_EQ(std::unordered_set<std::uint64_t>(lo.begin(), lo.end()).size(), lo.size()) << what;
      EXPECT_EQ(std::unordered_set<std::uint64_t>(hi.begin(), hi.end()).size(), hi.size()) << what;
    }
  }
}

TEST(AesHash, ZerosAtTheEndCount) {
  std::uint64_t state = 3;
  for (std::size_t size = 0; size < 200; ++size) {
    std::string key = random_key(size, state);
    std::unordered_set<std::uint64_t> seen;
    for (int zeros = 0; zeros < 200; ++zeros, key.push_back('\0')) EXPECT_TRUE(seen.insert(aes_hash(key, 0).lo).second);
  }
}

TEST(AesHash, SeedsGiveUnrelatedHashes) {
  std::vector<std::uint64_t> lo;
  for (std::uint64_t seed = 0; seed < 100'000; ++seed) lo.push_back(aes_hash("https://example.org/", seed).lo);
  expect_even(lo, "seeds");
  EXPECT_EQ(std::unordered_set<std::uint64_t>(lo.begin(), lo.end()).size(), lo.size());
}

TEST(AesHash, BatchesEqualSingles) {
  std::uint64_t state = 4;
  for (const std::size_t count : {0u, 1u, 31u, 32u, 33u, 500u}) {
    std::vector<std::string> keys;
    for (std::size_t i = 0; i < count; ++i) keys.push_back(random_key(random_word(state) % 150, state));
    const std::vector<std::string_view> views(keys.begin(), keys.end());
    for (const AesKernel* kernel : aes_kernels()) {
      std::vector<Hash> out(count);
      kernel->hash_keys(views.data(), count, 9, out.data());
      for (std::size_t i = 0; i < count; ++i) EXPECT_EQ(out[i], aes_hash_portable(keys[i], 9)) << kernel->name;
    }
  }
}

}  // namespace
}  // namespace bloomery
