#include "kernels/classic_batch.hpp"

#include <algorithm>

#include "kernels/blocked_kernel.hpp"
#include "kernels/distance.hpp"

namespace bloomery::kernels {
namespace {

constexpr std::size_t kGroup = 512;

bool is_far(const Shape& shape) noexcept { return Classic::size_bytes(shape) >= kPrefetchFromBytes; }

// One probe of a key: where it is, and from which x it came.
struct Probes {
  bool article;
  std::uint64_t cells;

  explicit Probes(const Shape& shape) noexcept
      : article(shape.rule == Classic::kArticleRule), cells(shape.cells) {}
  std::uint64_t step(Hash h) const noexcept { return article ? h.hi : h.hi | 1; }
  std::uint64_t bit(std::uint64_t x) const noexcept { return article ? x % cells : high64(mix(x), cells); }
};

// All keys of a group meet their first probe; those that pass, and no others, go on to their second.
std::uint64_t look_up_group(const Shape& shape, const std::byte* bytes, std::span<const Hash> keys, bool* out) {
  struct Left {
    std::uint64_t x, step, bit;
    std::size_t index;
  } left[kGroup];
  const Probes probes(shape);
  std::size_t count = keys.size();
  for (std::size_t i = 0; i < count; ++i) {
    left[i] = {keys[i].lo, probes.step(keys[i]), probes.bit(keys[i].lo), i};
    prefetch(bytes + left[i].bit / 8);
  }
  std::fill_n(out, keys.size(), false);
  for (unsigned round = 1; round <= shape.probes; ++round) {
    std::size_t still_left = 0;
    for (std::size_t i = 0; i < count; ++i) {
      Left key = left[i];
      const bool is_set = ((std::to_integer<unsigned>(bytes[key.bit / 8]) >> (key.bit % 8)) & 1) != 0;
      key.x += key.step;
      left[still_left] = key;
      still_left += is_set;
    }
    count = still_left;
    if (round == shape.probes) break;
    for (std::size_t i = 0; i < count; ++i) {
      left[i].bit = probes.bit(left[i].x);
      prefetch(bytes + left[i].bit / 8);
    }
  }
  for (std::size_t i = 0; i < count; ++i) out[left[i].index] = true;
  return count;
}

}  // namespace

std::uint64_t may_contain_classic(const Shape& shape, ConstBytes bytes, std::span<const Hash> keys,
                                  bool* out) noexcept {
  std::uint64_t maybes = 0;
  if (is_far(shape)) {
    for (std::size_t i = 0; i < keys.size(); i += kGroup)
      maybes += look_up_group(shape, bytes.data(), keys.subspan(i, std::min(kGroup, keys.size() - i)), out + i);
  } else {
    for (std::size_t i = 0; i < keys.size(); ++i) maybes += out[i] = Classic::may_contain(shape, bytes, keys[i]);
  }
  return maybes;
}

std::uint64_t insert_classic(const Shape& shape, Bytes bytes, std::span<const Hash> keys, bool* fresh) noexcept {
  const auto fetch = [&](Hash h) {
    Classic::every_probe(shape, h, [&](std::uint64_t bit) {
      prefetch(bytes.data() + bit / 8);
      return true;
    });
  };
  const std::size_t distance = std::max<std::size_t>(1, 2 * kPrefetchDistance / shape.probes);
  const std::size_t ahead = is_far(shape) ? std::min(keys.size(), distance) : keys.size();
  if (is_far(shape)) std::for_each_n(keys.begin(), ahead, fetch);
  std::uint64_t count = 0;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (i + ahead < keys.size()) fetch(keys[i + ahead]);
    const bool changed = Classic::insert(shape, bytes, keys[i]);
    if (fresh != nullptr) fresh[i] = changed;
    count += changed;
  }
  return count;
}

}  // namespace bloomery::kernels
