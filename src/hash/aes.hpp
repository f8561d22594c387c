// HashId::aes: a 128-bit hash out of rounds of AES, for processors that have them as an instruction.
//
// Here is the definition, with a round in portable code; src/hash/aes_kernels.cpp computes the same faster.
// Four lanes of 16 bytes; a stripe of 64 bytes is their next four blocks, the last one filled up with zeros.
// Each block goes into its lane twice, two rounds apart: a difference that cancels in the one place shows in
// the other. Not for hostile keys: that is siphash.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "bloomery/hash.hpp"

namespace bloomery {

// 16 bytes: byte i is bits 8 (i % 8).. of word i / 8. In AES's terms row i % 4 of column i / 4.
struct AesBlock {
  std::uint64_t lo, hi;

  constexpr AesBlock operator^(AesBlock other) const noexcept { return {lo ^ other.lo, hi ^ other.hi}; }
  bool operator==(const AesBlock&) const = default;
};

// SubBytes, ShiftRows, MixColumns, then XOR with key: the instruction AESENC. In portable code.
AesBlock aes_round(AesBlock state, AesBlock key) noexcept;

// The first 128 hexadecimal digits of the fraction of pi and more: no choice was made.
inline constexpr std::array<AesBlock, 4> kAesStart = {{{0x243f6a8885a308d3, 0x13198a2e03707344},
                                                       {0xa4093822299f31d0, 0x082efa98ec4e6c89},
                                                       {0x452821e638d01377, 0xbe5466cf34e90c6c},
                                                       {0xc0ac29b7c97c50dd, 0x3f84d5b5b5470917}}};
inline constexpr AesBlock kAesMiddle = {0x9216d5d98979fb1b, 0xd1310ba698dfb5ac};
inline constexpr std::array<AesBlock, 2> kAesEnd = {
    {{0x2ffd72dbd01adfb7, 0xb8e1afed6a267e96}, {0xba7c9045f12c7f99, 0x24a19947b3916cf7}}};

class AesHash {
 public:
  static constexpr std::size_t kBlockBytes = 64;

  explicit AesHash(std::uint64_t seed) noexcept;
  void absorb(const std::byte* stripe) noexcept;
  // tail: the length % 64 bytes behind the stripes absorbed.
  Hash finish(const std::byte* tail, std::size_t tail_bytes, std::uint64_t length) const noexcept;

 private:
  std::array<AesBlock, 4> lanes_;
  std::uint64_t seed_;
};

// The definition, as it stands.
Hash aes_hash_portable(std::string_view key, std::uint64_t seed) noexcept;

// The same by an instruction set; named as in bloomery/kernel.hpp.
struct AesKernel {
  std::string_view name;
  Hash (*hash_key)(std::string_view key, std::uint64_t seed);
  void (*hash_keys)(const std::string_view* keys, std::size_t count, std::uint64_t seed, Hash* out);
};

// Those that this processor can run, the fastest first; the last is the definition, "scalar".
std::span<const AesKernel* const> aes_kernels() noexcept;

// Uses the one of that name from now on, or the fastest if there is none. At first it is the one that the
// environment variable BLOOMERY_KERNEL names. Threads: safe at any time.
void use_aes_kernel(std::string_view name) noexcept;

// By the kernel in use. REQUIRES: out.size() == keys.size().
Hash aes_hash(std::string_view key, std::uint64_t seed) noexcept;
void aes_hashes(std::span<const std::string_view> keys, std::uint64_t seed, std::span<Hash> out) noexcept;

}  // namespace bloomery
