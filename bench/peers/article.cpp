#include "peers/article.hpp"

#include <bit>
#include <bloomery/hash.hpp>
#include <cstring>

namespace bench::peers {
namespace {

constexpr std::uint64_t kSeed1 = 0x123456789abcdef0, kSeed2 = 0xfedcba9876543210;
constexpr std::uint64_t kC1 = 0x87c37b91114253d5, kC2 = 0x4cf5ad432745937f;

std::uint64_t finish(std::uint64_t h) noexcept {
  h = (h ^ (h >> 33)) * 0xff51afd7ed558ccd;
  h = (h ^ (h >> 33)) * 0xc4ceb9fe1a85ec53;
  return h ^ (h >> 33);
}

std::uint64_t scramble_1(std::uint64_t word) noexcept { return std::rotl(word * kC1, 31) * kC2; }
std::uint64_t scramble_2(std::uint64_t word) noexcept { return std::rotl(word * kC2, 33) * kC1; }

std::uint64_t second_hash(std::string_view key) noexcept {
  const std::uint64_t h = murmur3_first_word(key, kSeed2);
  return h == 0 ? 1 : h;
}

}  // namespace

std::uint64_t murmur3_first_word(std::string_view key, std::uint64_t seed) noexcept {
  std::uint64_t h1 = seed, h2 = seed, words[2];
  std::size_t at = 0;
  for (; at + 16 <= key.size(); at += 16) {
    std::memcpy(words, key.data() + at, 16);
    h1 = (std::rotl(h1 ^ scramble_1(words[0]), 27) + h2) * 5 + 0x52dce729;
    h2 = (std::rotl(h2 ^ scramble_2(words[1]), 31) + h1) * 5 + 0x38495ab5;
  }
  words[0] = words[1] = 0;
  if (at < key.size()) std::memcpy(words, key.data() + at, key.size() - at);
  h2 ^= scramble_2(words[1]) ^ key.size();
  h1 ^= scramble_1(words[0]) ^ key.size();
  h1 += h2;
  h2 += h1;
  return finish(h1) + finish(h2);
}

ArticleFilter::ArticleFilter(std::uint64_t bits, unsigned hashes)
    : bits_(bits), hashes_(hashes), bytes_((bits + 7) / 8) {}

void ArticleFilter::set(std::uint64_t h1, std::uint64_t h2) noexcept {
  for (unsigned i = 0; i < hashes_; ++i) {
    const std::uint64_t bit = (h1 + i * h2) % bits_;
    bytes_.data()[bit / 8] |= static_cast<std::byte>(1u << (bit % 8));
  }
}

bool ArticleFilter::test(std::uint64_t h1, std::uint64_t h2) const noexcept {
  for (unsigned i = 0; i < hashes_; ++i) {
    const std::uint64_t bit = (h1 + i * h2) % bits_;
    if ((bytes_.data()[bit / 8] & static_cast<std::byte>(1u << (bit % 8))) == std::byte{0}) return false;
  }
  return true;
}

void ArticleFilter::insert(std::string_view key) noexcept { set(murmur3_first_word(key, kSeed1), second_hash(key)); }

bool ArticleFilter::contains(std::string_view key) const noexcept {
  return test(murmur3_first_word(key, kSeed1), second_hash(key));
}

void ArticleFilter::insert(std::uint64_t key) noexcept { set(key, bloomery::Hash::from_u64(key).hi); }

bool ArticleFilter::contains(std::uint64_t key) const noexcept { return test(key, bloomery::Hash::from_u64(key).hi); }

void ArticleFilter::clear() noexcept { std::memset(bytes_.data(), 0, bytes_.size()); }

}  // namespace bench::peers
