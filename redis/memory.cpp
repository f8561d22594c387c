#include "redis/memory.hpp"

#include <malloc.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>

#include "redis/api.hpp"

namespace bloomery::redis {
namespace {

// The server's allocator promises more than there is: what exceeds the whole memory would be granted, and the server
// ended later, when the pages are touched.
bool more_than_the_machine_has(std::size_t bytes) noexcept {
  static const auto pages = static_cast<std::size_t>(sysconf(_SC_PHYS_PAGES));
  static const auto page_bytes = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  return bytes / page_bytes >= pages;
}

std::atomic<std::uint64_t> in_use = 0;

void* server_zeroed_uncounted(std::size_t bytes) noexcept {
  if (more_than_the_machine_has(bytes)) return nullptr;
  if (api.try_calloc) return api.try_calloc(1, bytes);
  // Before 7.4 the server's calloc ends it when there is no memory. Ask first with the form that does not.
  void* probe = api.try_alloc(bytes);
  if (!probe) return nullptr;
  api.free(probe);
  return api.calloc(1, bytes);
}

void* server_zeroed(std::size_t bytes) noexcept {
  void* block = server_zeroed_uncounted(bytes);
  adopt(block);
  return block;
}

void server_release(void* block) noexcept {
  if (!block) return;
  in_use -= api.malloc_size(block);
  api.free(block);
}

}  // namespace

std::uint64_t bytes_in_use() noexcept { return in_use; }

void adopt(void* block) noexcept {
  if (block) in_use += api.malloc_size(block);
}

Allocator memory = {[](std::size_t bytes) noexcept { return std::calloc(1, bytes); },
                    [](void* p) noexcept { std::free(p); },
                    [](void* p) noexcept { return malloc_usable_size(p); }};

void use_server_memory() noexcept {
  memory = {server_zeroed, server_release, [](void* p) noexcept { return api.malloc_size(p); }};
  use_allocator(memory);
}

}  // namespace bloomery::redis
