// Zeroed memory that can be large: page-granular, huge pages where the system grants them, and growth
// that moves pages instead of copying them.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>

#include "bloomery/result.hpp"

namespace bloomery {

// Owns a run of zeroed bytes, aligned to 64 (and to 2 MiB from kHugeBytes on). Move-only.
class Memory {
 public:
  static constexpr std::size_t kHugeBytes = std::size_t{2} << 20;

  Memory() noexcept = default;
  // Errors: no_memory, saying how much was asked for. Pages are touched only when written.
  static Result<Memory> zeroed(std::uint64_t size_bytes);

  Memory(Memory&& other) noexcept;
  Memory& operator=(Memory&& other) noexcept;
  ~Memory();

  // New bytes at the end are zero; the old ones keep their content but may move. No second copy is held
  // at any moment. Errors: no_memory; then nothing has changed. REQUIRES: size_bytes >= size().
  Result<void> grow(std::uint64_t size_bytes);

  // Gives back what is behind the first size_bytes. Errors: no_memory (small sizes are copied); then nothing has
  // changed. REQUIRES: size_bytes <= size().
  Result<void> shrink(std::uint64_t size_bytes);

  // Gives the program's block, if it is one, to `move`, which says where it is now with all its bytes; null: where it was.
  void move_block(void* (*move)(void* context, void* block), void* context) noexcept;

  std::byte* data() noexcept { return data_; }
  const std::byte* data() const noexcept { return data_; }
  std::size_t size() const noexcept { return size_; }
  // What the program's allocator says that it takes, if there is one (bloomery/allocator.hpp), else size().
  std::size_t held_bytes() const noexcept;
  std::span<std::byte> bytes() noexcept { return {data_, size_}; }
  std::span<const std::byte> bytes() const noexcept { return {data_, size_}; }

 private:
  static Result<Memory> zeroed_by_program(std::size_t size_bytes);
  void release() noexcept;

  std::byte* data_ = nullptr;
  std::size_t size_ = 0;    // what was asked for
  std::size_t mapped_ = 0;  // whole huge pages from data_ on; 0: from an allocator
  void* block_ = nullptr;   // from the program's, holds data_
};

// Would an allocation of this size be absurd on this machine? Linux grants more memory than exists and
// ends the process later, so ask first. Errors: no_memory, naming both sizes.
Result<void> check_memory(std::uint64_t size_bytes);

// How many of these bytes lie on huge pages, as far as the system says: it speaks of whole mappings, so where
// one holds more than these bytes, this is at most the truth about the mapping. Cost: reads /proc/self/smaps.
std::uint64_t bytes_on_huge_pages(std::span<const std::byte> bytes) noexcept;

}  // namespace bloomery
