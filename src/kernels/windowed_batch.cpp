#include "kernels/windowed_batch.hpp"

#include "bloomery/layout/windowed.hpp"
#include "kernels/distance.hpp"

namespace bloomery::kernels {
namespace {

constexpr std::size_t kAhead = 16;  // keys: each has several lines

// The lines of the first place of a key; a stranger seldom needs another.
void prefetch(const Shape& shape, const std::byte* bytes, Hash key) noexcept {
  const std::byte* place = bytes + Blocked::line_of(key.lo, shape.cells) * Windowed::place_bytes(shape);
  for (unsigned i = 0; i < Windowed::slots(shape); ++i) __builtin_prefetch(place + i * Blocked::kLineBytes, 0, 1);
}

}  // namespace

std::uint64_t may_contain_windowed(const Shape& shape, ConstBytes bytes, std::span<const Hash> keys, bool* out,
                                   std::uint64_t turns) noexcept {
  const bool far = bytes.size() >= kPrefetchFromBytes;
  std::uint64_t maybes = 0;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (far && i + kAhead < keys.size()) prefetch(shape, bytes.data(), keys[i + kAhead]);
    maybes += out[i] = Windowed::may_contain(shape, bytes, keys[i], turns);
  }
  return maybes;
}

std::uint64_t insert_windowed(const Shape& shape, Bytes bytes, std::span<const Hash> keys, bool* fresh) noexcept {
  const bool far = bytes.size() >= kPrefetchFromBytes;
  std::uint64_t count = 0;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (far && i + kAhead < keys.size()) prefetch(shape, bytes.data(), keys[i + kAhead]);
    const bool unknown = Windowed::insert(shape, bytes, keys[i]);
    if (fresh != nullptr) fresh[i] = unknown;
    count += unknown;
  }
  return count;
}

}  // namespace bloomery::kernels
