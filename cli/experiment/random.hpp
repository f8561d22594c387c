// Chance that repeats itself: the same seed gives the same items on every machine.
#pragma once
#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include "bloomery/hash.hpp"

namespace cli::experiment {

// SplitMix64. Source: Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014.
class Random {
 public:
  explicit Random(std::uint64_t seed) noexcept : state_(seed) {}

  std::uint64_t next() noexcept {
    std::uint64_t z = state_ += bloomery::kGolden;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
    return z ^ (z >> 31);
  }

 private:
  std::uint64_t state_;
};

// Ten letters and digits. Two of them are the same with chance 62^-10 = 1.2e-18: all are taken for distinct.
inline constexpr std::size_t kItemLength = 10;
using Item = std::array<char, kItemLength>;

inline Item random_item(Random& random) noexcept {
  static constexpr std::string_view kLetters = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
  std::uint64_t number = random.next();
  Item item;
  for (char& c : item) {
    c = kLetters[number % kLetters.size()];
    number /= kLetters.size();
  }
  return item;
}

inline std::string_view text(const Item& item) noexcept { return {item.data(), item.size()}; }

// Fills `out` with the hashes of as many random items.
void random_hashes(Random& random, const bloomery::Hasher& hasher, std::span<bloomery::Hash> out) noexcept;

}  // namespace cli::experiment
