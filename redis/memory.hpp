// Memory for the bits of filters: from the server once the module is loaded, so that it is counted there.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>

#include "bloomery/allocator.hpp"

namespace bloomery::redis {

// calloc and free of the C library, until use_server_memory().
extern Allocator memory;

// How much of the server's memory is in use. Threads: any.
std::uint64_t bytes_in_use() noexcept;
// Counts a block that the server has handed over, to be released as one of ours.
void adopt(void* block) noexcept;

// REQUIRES: find_api() has succeeded.
void use_server_memory() noexcept;

struct Release {
  void operator()(std::uint8_t* bytes) const noexcept { memory.release(bytes); }
};
using Bits = std::unique_ptr<std::uint8_t[], Release>;

// Zeroed, and untouched until somebody sets a bit: pages cost nothing before. Null: no memory.
inline Bits zeroed_bits(std::uint64_t bytes) noexcept { return Bits(static_cast<std::uint8_t*>(memory.zeroed(bytes))); }

}  // namespace bloomery::redis
