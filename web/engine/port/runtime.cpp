// What the host's libraries would bring along: xxHash's functions, and an end for what would be thrown.
#define XXH_STATIC_LINKING_ONLY
#define XXH_IMPLEMENTATION
#include <xxhash.h>

#include <cstdlib>

extern "C" {
// Only "no memory" is ever thrown. The page starts the engine anew.
[[noreturn]] void* __cxa_allocate_exception(std::size_t) noexcept { std::abort(); }
[[noreturn]] void __cxa_throw(void*, void*, void (*)(void*)) { std::abort(); }
}
