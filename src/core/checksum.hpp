// XXH3, 64 bits: the checksum of headers and payload chunks.
#pragma once
#include <cstdint>
#include <memory>

#include "bloomery/bits.hpp"

namespace bloomery::core {

std::uint64_t checksum(ConstBytes bytes, std::uint64_t seed) noexcept;

// The same of bytes that come in pieces.
class Checksum {
 public:
  explicit Checksum(std::uint64_t seed);  // throws std::bad_alloc
  void restart(std::uint64_t seed) noexcept;
  void update(ConstBytes bytes) noexcept;
  std::uint64_t digest() const noexcept;

 private:
  struct Free {
    void operator()(void* state) const noexcept;
  };
  std::unique_ptr<void, Free> state_;
};

}  // namespace bloomery::core
