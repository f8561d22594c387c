// Walks over random 64-byte lines, doing the least that a filter could do with each: read it, or read, change and
// write it. How fast that goes is the limit of every filter that touches one line per key.
#pragma once
#include <cstddef>
#include <cstdint>

namespace bench {

enum class Hint { none, nta, t1, t0, write };

struct Walk {
  std::byte* buffer = nullptr;
  std::uint64_t lines = 0;
  std::size_t distance = 0;  // how many keys ahead a line is prefetched
};

// The walks of one instruction set. All return something that depends on every line, or 0.
struct Walker {
  const char* name;
  std::uint64_t (*read)(const Walk&, Hint, const std::uint64_t* keys, std::size_t count);
  std::uint64_t (*modify)(const Walk&, Hint, const std::uint64_t* keys, std::size_t count);
  std::uint64_t (*read_in_order)(const Walk&);
  void (*write_in_order)(const Walk&);
  void (*stream_in_order)(const Walk&);  // past the caches
};

extern const Walker kPlainWalker;
extern const Walker kAvx2Walker;    // only where compiled for x86-64
extern const Walker kAvx512Walker;  // likewise

}  // namespace bench
