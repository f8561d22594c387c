// Where the bits of filters come from: the allocator of the program that the library is part of, if that one counts
// or limits what is taken. Nothing is to be done otherwise: large filters have pages of their own then.
#pragma once
#include <cstddef>

#include "bloomery/export.h"

namespace bloomery {

struct Allocator {
  void* (*zeroed)(std::size_t bytes) noexcept = nullptr;  // null: there is no memory
  void (*release)(void* block) noexcept = nullptr;
  std::size_t (*usable)(void* block) noexcept = nullptr;  // what the block takes: memory_bytes() says that
};

// For all filters made from now on; {} for the library's own way again.
// Threads: its functions are called from any thread that makes or destroys filters.
// REQUIRES: no filter exists yet, and no other thread uses the library meanwhile.
BLOOMERY_API void use_allocator(const Allocator& allocator) noexcept;

}  // namespace bloomery
