#include "kernels/counting_batch.hpp"

#include <algorithm>

#include "kernels/blocked_kernel.hpp"
#include "kernels/distance.hpp"

namespace bloomery::kernels {
namespace {

// Fetches the counters of a key: all of them, or the first few, or the one line.
void fetch(const Shape& shape, const std::byte* bytes, Hash h, unsigned most) noexcept {
  Counting::every_cell(shape, h, [&](std::uint64_t cell) {
    prefetch(bytes + cell * shape.cell_bits / 8);
    return --most != 0;
  });
}

// Calls work(i) for each key in order, with the counters of keys further on under way.
template <class Work>
void with_fetching(const Shape& shape, const std::byte* bytes, std::span<const Hash> keys, unsigned probes, Work work) {
  const unsigned most = shape.rule == Counting::kLineRule ? 1 : std::min<unsigned>(probes, shape.probes);
  const bool far = Counting::size_bytes(shape) >= kPrefetchFromBytes;
  const std::size_t distance = std::max<std::size_t>(1, 2 * kPrefetchDistance / (most + 1));
  const std::size_t ahead = far ? std::min(keys.size(), distance) : keys.size();
  if (far)
    for (std::size_t i = 0; i < ahead; ++i) fetch(shape, bytes, keys[i], most);
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (i + ahead < keys.size()) fetch(shape, bytes, keys[i + ahead], most);
    work(i);
  }
}

constexpr unsigned kAll = Counting::kMaxProbes;
// A lookup that misses ends after two probes on average, when half of the counters are above zero.
constexpr unsigned kLookupProbes = 2;

}  // namespace

std::uint64_t may_contain_counting(const Shape& shape, ConstBytes bytes, std::span<const Hash> keys,
                                   bool* out) noexcept {
  std::uint64_t maybes = 0;
  with_fetching(shape, bytes.data(), keys, kLookupProbes, [&](std::size_t i) {
    maybes += out[i] = Counting::may_contain(shape, bytes, keys[i]);
  });
  return maybes;
}

std::uint64_t insert_counting(const Shape& shape, Bytes bytes, std::span<const Hash> keys, bool* fresh) noexcept {
  std::uint64_t count = 0;
  with_fetching(shape, bytes.data(), keys, kAll, [&](std::size_t i) {
    const bool is_fresh = Counting::insert(shape, bytes, keys[i]);
    if (fresh != nullptr) fresh[i] = is_fresh;
    count += is_fresh;
  });
  return count;
}

Erasures erase_counting(const Shape& shape, Bytes bytes, std::span<const Hash> keys, bool* erased) noexcept {
  Erasures sum;
  with_fetching(shape, bytes.data(), keys, kAll, [&](std::size_t i) {
    const bool is_erased = Counting::erase(shape, bytes, keys[i]);
    if (erased != nullptr) erased[i] = is_erased;
    sum.erased += is_erased;
    sum.gone += is_erased && !Counting::may_contain(shape, bytes, keys[i]);
  });
  return sum;
}

}  // namespace bloomery::kernels
