// Keys for benchmarks: words that are well mixed, and strings that look like URLs. Key i is the same in every run,
// and different i give different keys.
#pragma once
#include <cstdint>
#include <functional>
#include <span>
#include <string_view>

#include "pages.hpp"

namespace bench {

using Words = std::span<const std::uint64_t>;

// A bijection of 64-bit words. Source: Steele, Lea, Flood, "Fast splittable pseudorandom number generators", 2014.
constexpr std::uint64_t splitmix(std::uint64_t x) noexcept {
  x += 0x9E3779B97F4A7C15;
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EB;
  return x ^ (x >> 31);
}

inline constexpr std::size_t kMaxUrlBytes = 80;

// Writes URL number i, 24 to 80 bytes, and returns its length.
std::size_t write_url(std::uint64_t i, char* out) noexcept;

// keys[j] = key number index(j). Key: std::uint64_t or std::string_view.
template <class Key>
class KeyArray {
 public:
  KeyArray() = default;
  KeyArray(std::uint64_t count, const std::function<std::uint64_t(std::uint64_t)>& index);
  std::span<const Key> keys() const noexcept {
    return {reinterpret_cast<const Key*>(keys_.data()), keys_.size() / sizeof(Key)};
  }

 private:
  Pages keys_, text_;
};

// Members are keys 0 .. count-1. Everything else lies far above.
template <class Key>
struct KeySets {
  KeySets(std::uint64_t member_count, std::uint64_t probe_count);
  KeyArray<Key> members, misses, hits, mixed;  // mixed: half hits, half misses, in random order
};

// Key number i of those that are never members and in none of the sets above: for false-positive rates.
constexpr std::uint64_t stranger(std::uint64_t i) noexcept { return (std::uint64_t{7} << 48) + i; }

}  // namespace bench
