// core/memory.hpp where there are no pages to map: from the allocator, all of it.
#include "core/memory.hpp"

#include <algorithm>
#include <new>
#include <string>
#include <utility>

#include "kernels/blocked_kernel.hpp"

namespace bloomery {
namespace {

constexpr std::align_val_t kAlignment{64};
constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 30;  // of the 4 GiB that can be addressed

}  // namespace

Result<void> check_memory(std::uint64_t size_bytes) {
  if (size_bytes <= kMostBytes) return {};
  return Error{Errc::no_memory, "no memory: " + std::to_string(size_bytes) + " bytes are needed, a page may have " +
                                    std::to_string(kMostBytes)};
}

Result<Memory> Memory::zeroed(std::uint64_t size_bytes) {
  if (auto enough = check_memory(size_bytes); !enough) return enough.error();
  Memory memory;
  memory.size_ = static_cast<std::size_t>(size_bytes);
  if (size_bytes == 0) return memory;
  memory.data_ = static_cast<std::byte*>(::operator new(memory.size_, kAlignment, std::nothrow));
  if (memory.data_ == nullptr)
    return Error{Errc::no_memory, "no memory: " + std::to_string(size_bytes) + " bytes were refused"};
  std::fill_n(memory.data_, memory.size_, std::byte{0});
  return memory;
}

Memory::Memory(Memory&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}

Memory& Memory::operator=(Memory&& other) noexcept {
  if (this != &other) {
    release();
    data_ = std::exchange(other.data_, nullptr);
    size_ = std::exchange(other.size_, 0);
  }
  return *this;
}

Memory::~Memory() { release(); }

void Memory::release() noexcept { ::operator delete(data_, kAlignment); }

Result<void> Memory::grow(std::uint64_t size_bytes) {
  auto larger = zeroed(size_bytes);
  if (!larger) return larger.error();
  std::copy_n(data_, size_, larger->data_);
  *this = std::move(*larger);
  return {};
}

Result<void> Memory::shrink(std::uint64_t size_bytes) {
  size_ = static_cast<std::size_t>(size_bytes);
  return {};
}

std::uint64_t bytes_on_huge_pages(std::span<const std::byte>) noexcept { return 0; }

namespace kernels {

// The scalar layouts are fast enough for what a page shows.
std::span<const BlockedKernel* const> vector_kernels() noexcept { return {}; }

}  // namespace kernels
}  // namespace bloomery
