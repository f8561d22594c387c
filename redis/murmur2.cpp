#include "redis/murmur2.hpp"

#include <cstddef>

#include "bloomery/bits.hpp"

namespace bloomery::redis {
namespace {

// Both mix whole words and then what is left over; they differ in the width and in the constants.
template <class Word>
Word word_at(std::string_view key, std::size_t offset) noexcept {
  return load_le<Word>(reinterpret_cast<const std::byte*>(key.data()) + offset);
}

// What is left over, the first byte lowest. REQUIRES: something is.
template <class Word>
Word tail_of(std::string_view key) noexcept {
  const std::size_t rest = key.size() % sizeof(Word);
  if (key.size() > sizeof(Word))  // the last of a word of which some bytes were mixed already
    return word_at<Word>(key, key.size() - sizeof(Word)) >> (8 * (sizeof(Word) - rest));
  Word tail = 0;
  for (std::size_t i = rest; i-- > 0;) tail = static_cast<Word>(tail << 8 | static_cast<unsigned char>(key[i]));
  return tail;
}

}  // namespace

std::uint32_t murmur2(std::string_view key, std::uint32_t seed) noexcept {
  constexpr std::uint32_t kFactor = 0x5bd1e995;
  std::uint32_t h = seed ^ static_cast<std::uint32_t>(key.size());
  for (std::size_t at = 0; at + 4 <= key.size(); at += 4) {
    std::uint32_t k = word_at<std::uint32_t>(key, at) * kFactor;
    k = (k ^ (k >> 24)) * kFactor;
    h = (h * kFactor) ^ k;
  }
  if (key.size() % 4 != 0) h = (h ^ tail_of<std::uint32_t>(key)) * kFactor;
  h = (h ^ (h >> 13)) * kFactor;
  return h ^ (h >> 15);
}

std::uint64_t murmur64a(std::string_view key, std::uint64_t seed) noexcept {
  constexpr std::uint64_t kFactor = 0xc6a4a7935bd1e995;
  std::uint64_t h = seed ^ (key.size() * kFactor);
  for (std::size_t at = 0; at + 8 <= key.size(); at += 8) {
    std::uint64_t k = word_at<std::uint64_t>(key, at) * kFactor;
    k = (k ^ (k >> 47)) * kFactor;
    h = (h ^ k) * kFactor;
  }
  if (key.size() % 8 != 0) h = (h ^ tail_of<std::uint64_t>(key)) * kFactor;
  h = (h ^ (h >> 47)) * kFactor;
  return h ^ (h >> 47);
}

}  // namespace bloomery::redis
