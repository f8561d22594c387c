#include "redis/memory.hpp"

#include <malloc.h>

#include <cstdlib>

#include "redis/api.hpp"

namespace bloomery::redis {
namespace {

void* server_zeroed(std::size_t bytes) noexcept {
  if (api.try_calloc) return api.try_calloc(1, bytes);
  // Before 7.4 the server's calloc ends it when there is no memory. Ask first with the form that does not.
  void* probe = api.try_alloc(bytes);
  if (!probe) return nullptr;
  api.free(probe);
  return api.calloc(1, bytes);
}

}  // namespace

Allocator memory = {[](std::size_t bytes) noexcept { return std::calloc(1, bytes); },
                    [](void* p) noexcept { std::free(p); },
                    [](void* p) noexcept { return malloc_usable_size(p); }};

void use_server_memory() noexcept {
  memory = {server_zeroed, [](void* p) noexcept { api.free(p); }, [](void* p) noexcept { return api.malloc_size(p); }};
}

}  // namespace bloomery::redis
