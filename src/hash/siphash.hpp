// SipHash-2-4 with 128 bits of output: a keyed hash that nobody can aim without the key.
// Source: Aumasson and Bernstein, "SipHash: a fast short-input PRF", 2012. Own code because the
// library that has it does not exist for every platform we build for; a test compares the two.
#pragma once
#include <string_view>

#include "bloomery/hash.hpp"

namespace bloomery {

class SipHash {
 public:
  static constexpr std::size_t kBlockBytes = 8;

  explicit SipHash(const SecretKey& secret) noexcept;
  void absorb(const std::byte* block) noexcept { absorb(load_le<std::uint64_t>(block)); }  // kBlockBytes of them
  // After the last `tail_bytes` (below kBlockBytes) of `length` bytes in all.
  Hash finish(const std::byte* tail, std::size_t tail_bytes, std::uint64_t length) const noexcept;

 private:
  void round() noexcept;
  void absorb(std::uint64_t word) noexcept;
  std::uint64_t squeeze() noexcept;

  std::uint64_t v0_, v1_, v2_, v3_;
};

// lo and hi are the first and second output word. Cost: O(key.size()).
Hash siphash_2_4_128(std::string_view key, const SecretKey& secret) noexcept;

}  // namespace bloomery
