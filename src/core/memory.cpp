#include "core/memory.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <memory>
#include <new>
#include <string>
#include <utility>

#include "bloomery/allocator.hpp"

namespace bloomery {
namespace {

constexpr std::size_t kAlignment = 64;

constinit Allocator program = {};  // empty: there is none

Error no_memory(std::uint64_t size_bytes) {
  return {Errc::no_memory, "no memory: " + std::to_string(size_bytes) + " bytes were asked for and refused"};
}

std::size_t round_up(std::size_t value, std::size_t unit) noexcept { return (value + unit - 1) / unit * unit; }

std::byte* aligned_in(void* block) noexcept {
  const auto address = reinterpret_cast<std::uintptr_t>(block);
  return static_cast<std::byte*>(block) + (round_up(address, kAlignment) - address);
}

// `bytes` of fresh address space on a huge-page boundary; null if refused. REQUIRES: whole huge pages.
std::byte* map_aligned(std::size_t bytes, int protection) noexcept {
  const std::size_t slack = Memory::kHugeBytes;
  void* p = mmap(nullptr, bytes + slack, protection, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (p == MAP_FAILED) return nullptr;
  auto* start = static_cast<std::byte*>(p);
  const auto address = reinterpret_cast<std::uintptr_t>(p);
  const std::size_t head = round_up(address, slack) - address;
  if (head != 0) munmap(start, head);
  if (slack - head != 0) munmap(start + head + bytes, slack - head);
  return start + head;
}

}  // namespace

Result<void> check_memory(std::uint64_t size_bytes) {
  const auto pages = static_cast<std::uint64_t>(std::max(0L, sysconf(_SC_PHYS_PAGES)));
  const auto page = static_cast<std::uint64_t>(std::max(0L, sysconf(_SC_PAGESIZE)));
  if (size_bytes <= pages * page) return {};
  return Error{Errc::no_memory, "no memory: " + std::to_string(size_bytes) + " bytes are needed, this machine has " +
                                    std::to_string(pages * page)};
}

void use_allocator(const Allocator& allocator) noexcept { program = allocator; }

Result<Memory> Memory::zeroed_by_program(std::size_t size_bytes) {
  Memory memory;
  memory.size_ = size_bytes;
  memory.block_ = program.zeroed(size_bytes + kAlignment);  // which need not align as we do
  if (memory.block_ == nullptr) return no_memory(size_bytes);
  memory.data_ = aligned_in(memory.block_);
  return memory;
}

Result<Memory> Memory::zeroed(std::uint64_t size_bytes) {
  if (auto enough = check_memory(size_bytes); !enough) return enough.error();
  Memory memory;
  memory.size_ = static_cast<std::size_t>(size_bytes);
  if (size_bytes == 0) return memory;
  if (program.zeroed != nullptr) return zeroed_by_program(memory.size_);
  if (size_bytes < kHugeBytes) {  // the allocator's business; small filters must not cost whole pages
    memory.data_ = static_cast<std::byte*>(
        ::operator new(round_up(memory.size_, kAlignment), std::align_val_t{kAlignment}, std::nothrow));
    if (memory.data_ == nullptr) return no_memory(size_bytes);
    std::fill_n(memory.data_, memory.size_, std::byte{0});
    return memory;
  }
  memory.mapped_ = round_up(memory.size_, kHugeBytes);
  memory.data_ = map_aligned(memory.mapped_, PROT_READ | PROT_WRITE);
  if (memory.data_ == nullptr) {
    memory.mapped_ = 0;
    return no_memory(size_bytes);
  }
  madvise(memory.data_, memory.mapped_, MADV_HUGEPAGE);  // a wish; small pages work too
  return memory;
}

Memory::Memory(Memory&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)),
      size_(std::exchange(other.size_, 0)),
      mapped_(std::exchange(other.mapped_, 0)),
      block_(std::exchange(other.block_, nullptr)) {}

Memory& Memory::operator=(Memory&& other) noexcept {
  if (this != &other) {
    release();
    data_ = std::exchange(other.data_, nullptr);
    size_ = std::exchange(other.size_, 0);
    mapped_ = std::exchange(other.mapped_, 0);
    block_ = std::exchange(other.block_, nullptr);
  }
  return *this;
}

Memory::~Memory() { release(); }

void Memory::release() noexcept {
  if (block_ != nullptr)
    program.release(block_);
  else if (mapped_ != 0)
    munmap(data_, mapped_);
  else if (data_ != nullptr)
    ::operator delete(data_, std::align_val_t{kAlignment});
}

void Memory::move_block(void* (*move)(void* context, void* block), void* context) noexcept {
  if (block_ == nullptr) return;
  const std::ptrdiff_t offset = data_ - static_cast<std::byte*>(block_);
  void* moved = move(context, block_);
  if (moved == nullptr) return;
  block_ = moved;
  data_ = aligned_in(moved);  // the block has room for any
  std::memmove(data_, static_cast<std::byte*>(moved) + offset, size_);
}

std::size_t Memory::held_bytes() const noexcept { return block_ != nullptr ? program.usable(block_) : size_; }

Result<void> Memory::grow(std::uint64_t size_bytes) {
  const auto wanted = static_cast<std::size_t>(size_bytes);
  if (mapped_ == 0) {  // from an allocator: small, so that a copy is cheap, unless it is the program's
    auto larger = zeroed(size_bytes);
    if (!larger) return larger.error();
    std::copy_n(data_, size_, larger->data_);
    *this = std::move(*larger);
    return {};
  }
  if (wanted <= mapped_) {
    size_ = wanted;
    return {};
  }
  if (auto enough = check_memory(size_bytes); !enough) return enough.error();
  // mremap onto an aligned reservation moves page tables, not bytes, and keeps huge pages whole.
  const std::size_t mapped = round_up(wanted, kHugeBytes);
  std::byte* target = map_aligned(mapped, PROT_NONE);
  if (target == nullptr) return no_memory(size_bytes);
  if (mremap(data_, mapped_, mapped, MREMAP_MAYMOVE | MREMAP_FIXED, target) == MAP_FAILED) {
    munmap(target, mapped);
    return no_memory(size_bytes);
  }
  data_ = target;
  mapped_ = mapped;
  size_ = wanted;
  madvise(data_, mapped_, MADV_HUGEPAGE);
  return {};
}

Result<void> Memory::shrink(std::uint64_t size_bytes) {
  const auto wanted = static_cast<std::size_t>(size_bytes);
  if (mapped_ == 0 || wanted < kHugeBytes) {  // from an allocator, as zeroed() would have it
    auto smaller = zeroed(size_bytes);
    if (!smaller) return smaller.error();
    std::copy_n(data_, wanted, smaller->data_);
    *this = std::move(*smaller);
    return {};
  }
  const std::size_t mapped = round_up(wanted, kHugeBytes);
  if (mapped < mapped_) munmap(data_ + mapped, mapped_ - mapped);
  mapped_ = mapped;
  size_ = wanted;
  return {};
}

std::uint64_t bytes_on_huge_pages(std::span<const std::byte> bytes) noexcept {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> maps(std::fopen("/proc/self/smaps", "re"), std::fclose);
  if (!maps) return 0;
  const auto begin = reinterpret_cast<std::uintptr_t>(bytes.data()), end = begin + bytes.size();
  std::uint64_t sum = 0, overlap = 0;
  char line[256];
  while (std::fgets(line, sizeof line, maps.get()) != nullptr) {
    unsigned long from = 0, to = 0, kib = 0;
    if (std::sscanf(line, "%lx-%lx ", &from, &to) == 2)
      overlap = std::max<std::uint64_t>(begin, from) < std::min<std::uint64_t>(end, to)
                    ? std::min<std::uint64_t>(end, to) - std::max<std::uint64_t>(begin, from)
                    : 0;
    else if (std::sscanf(line, "AnonHugePages: %lu", &kib) == 1 || std::sscanf(line, "FilePmdMapped: %lu", &kib) == 1)
      sum += std::min<std::uint64_t>(overlap, std::uint64_t{kib} << 10);
  }
  return std::min<std::uint64_t>(sum, bytes.size());
}

}  // namespace bloomery
