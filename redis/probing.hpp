// Where the bits of an item are: positions by double hashing, modulo a number that stays the same.
#pragma once
#include <cstdint>

#include "bloomery/bits.hpp"

namespace bloomery::redis {

struct Hashes {
  std::uint64_t first, step;
};

class Probing {
 public:
  Probing() noexcept : Probing(1, false) {}
  // narrow: hashes and positions have 32 bits. REQUIRES: modulus > 0, and with narrow < 2^32.
  Probing(std::uint64_t modulus, bool narrow) noexcept
      : modulus_(modulus), reciprocal_(~std::uint64_t{0} / modulus), mask_(narrow ? 0xffffffff : ~std::uint64_t{0}) {}

  // Of probe i. A division would take as long as finding the bit in the cache. The quotient that the reciprocal gives
  // is exact or one too small, since reciprocal >= 2^64 / modulus - 1 and x < 2^64.
  std::uint64_t operator()(const Hashes& hashes, std::uint32_t i) const noexcept {
    const std::uint64_t x = (hashes.first + i * hashes.step) & mask_;
    const std::uint64_t rest = x - high64(x, reciprocal_) * modulus_;
    return rest >= modulus_ ? rest - modulus_ : rest;
  }

 private:
  std::uint64_t modulus_, reciprocal_, mask_;
};

}  // namespace bloomery::redis
