#include "kernels/kernels.hpp"

#include "layout/layouts.hpp"

namespace bloomery::kernels {

std::uint64_t may_contain(const Shape& shape, ConstBytes bytes, std::span<const Hash> keys, bool* out) noexcept {
  return with_layout<std::uint64_t>(shape.kind, [&]<class L>(L) {
    std::uint64_t maybes = 0;
    for (std::size_t i = 0; i < keys.size(); ++i) maybes += out[i] = L::may_contain(shape, bytes, keys[i]);
    return maybes;
  });
}

std::uint64_t insert(const Shape& shape, Bytes bytes, std::span<const Hash> keys, bool* fresh) noexcept {
  return with_layout<std::uint64_t>(shape.kind, [&]<class L>(L) {
    std::uint64_t count = 0;
    if constexpr (Insertable<L>) {
      for (std::size_t i = 0; i < keys.size(); ++i) {
        const bool changed = L::insert(shape, bytes, keys[i]);
        if (fresh != nullptr) fresh[i] = changed;
        count += changed;
      }
    }
    return count;
  });
}

std::string_view active() noexcept { return "scalar"; }

}  // namespace bloomery::kernels
