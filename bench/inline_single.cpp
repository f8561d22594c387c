// BENCH_INLINE_NAME: which of the two functions this compilation makes. Everything else stays hidden in its library, so
// that the linker cannot replace the code of one by that of the other.
#include "inline_single.hpp"

#include <bloomery/layout/blocked.hpp>

namespace bench {

[[gnu::visibility("default")]] std::uint64_t BENCH_INLINE_NAME(const bloomery::Shape& shape, bloomery::ConstBytes bytes,
                                                               const std::uint64_t* keys, std::size_t count) {
  std::uint64_t maybes = 0;
  for (std::size_t i = 0; i < count; ++i)
    maybes += bloomery::Blocked::may_contain(shape, bytes, bloomery::Hash::from_u64(keys[i]));
  return maybes;
}

}  // namespace bench
