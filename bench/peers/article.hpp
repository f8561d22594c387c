// The reference article's filter, written from its description: MurmurHash3 (x64, 128 bits, first word) twice, with
// two seeds; bit i is (h1 + i * h2) mod m; one key at a time.
#pragma once
#include <cstdint>
#include <string_view>

#include "pages.hpp"

namespace bench::peers {

std::uint64_t murmur3_first_word(std::string_view key, std::uint64_t seed) noexcept;

class ArticleFilter {
 public:
  ArticleFilter(std::uint64_t bits, unsigned hashes);

  void insert(std::string_view key) noexcept;
  bool contains(std::string_view key) const noexcept;
  // The same for keys that are hashes already: the second hash is made from the first.
  void insert(std::uint64_t key) noexcept;
  bool contains(std::uint64_t key) const noexcept;

  void clear() noexcept;
  std::uint64_t size_bits() const noexcept { return bits_; }
  std::span<const std::byte> bytes() const noexcept { return bytes_.bytes(); }

 private:
  void set(std::uint64_t h1, std::uint64_t h2) noexcept;
  bool test(std::uint64_t h1, std::uint64_t h2) const noexcept;

  std::uint64_t bits_;
  unsigned hashes_;
  Pages bytes_;
};

}  // namespace bench::peers
