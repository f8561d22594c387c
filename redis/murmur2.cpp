#include "redis/murmur2.hpp"

#include <cstddef>

#include "bloomery/bits.hpp"

namespace bloomery::redis {
namespace {

// Both mix whole words and then what is left over; they differ in the width and in the constants.
template <class Word>
struct Tail {
  Word value = 0;
  bool any = false;
};

template <class Word>
Tail<Word> tail_of(std::string_view key) noexcept {
  Tail<Word> tail;
  const std::size_t whole = key.size() / sizeof(Word) * sizeof(Word);
  for (std::size_t i = whole; i < key.size(); ++i) {
    tail.value |= static_cast<Word>(static_cast<Word>(static_cast<unsigned char>(key[i])) << (8 * (i - whole)));
    tail.any = true;
  }
  return tail;
}

template <class Word>
Word word_at(std::string_view key, std::size_t offset) noexcept {
  return load_le<Word>(reinterpret_cast<const std::byte*>(key.data()) + offset);
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
  if (const auto tail = tail_of<std::uint32_t>(key); tail.any) h = (h ^ tail.value) * kFactor;
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
  if (const auto tail = tail_of<std::uint64_t>(key); tail.any) h = (h ^ tail.value) * kFactor;
  h = (h ^ (h >> 47)) * kFactor;
  return h ^ (h >> 47);
}

}  // namespace bloomery::redis
