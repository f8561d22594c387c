// BENCH_INLINE_NAME: which of the two functions this compilation makes. Everything else stays hidden in its library, so
// that the linker cannot replace the code of one by that of the other.
#include "inline_single.hpp"

#include <bloomery/view.hpp>

namespace bench {

[[gnu::visibility("default")]] std::uint64_t BENCH_INLINE_NAME(const bloomery::Shape& shape, bloomery::ConstBytes bytes,
                                                               const std::uint64_t* keys, std::size_t count) {
  const bloomery::BlockedView view(shape, bytes);
  std::uint64_t maybes = 0;
  for (std::size_t i = 0; i < count; ++i) maybes += view.may_contain(keys[i]);
  return maybes;
}

}  // namespace bench
