#include "kernels/static_batch.hpp"

#include <algorithm>

#include "kernels/blocked_kernel.hpp"
#include "kernels/distance.hpp"

namespace bloomery::kernels {
namespace {

constexpr std::size_t kGroup = 64;

// A copy of the shape whose fields that inner loops depend on are constants.
template <unsigned kProbes, unsigned kCellBits>
std::uint64_t look_up(Shape shape, ConstBytes bytes, std::span<const Hash> keys, bool* out) noexcept {
  shape.probes = kProbes;
  shape.cell_bits = kCellBits;
  const bool far = bytes.size() >= kPrefetchFromBytes;
  struct Place {
    std::uint64_t word;
    Fuse::Cells cells;
  } places[kGroup];
  std::uint64_t maybes = 0;
  for (std::size_t at = 0; at < keys.size(); at += kGroup) {
    const std::size_t count = std::min(kGroup, keys.size() - at);
    for (std::size_t i = 0; i < count; ++i) {
      places[i].word = Fuse::word_of(shape, keys[at + i]);
      // Into its place one by one: an array that is returned and copied is read before it is written through, which
      // made a lookup five times as slow.
      Fuse::each_cell(shape, places[i].word, [&](unsigned p, std::uint64_t cell) {
        places[i].cells[p] = cell;
        if (far) prefetch(bytes.data() + cell * (kCellBits / 8));
      });
    }
    for (std::size_t i = 0; i < count; ++i)
      maybes += out[at + i] = Fuse::difference(shape, bytes, places[i].word, places[i].cells) == 0;
  }
  return maybes;
}

template <unsigned kProbes>
std::uint64_t look_up(const Shape& shape, ConstBytes bytes, std::span<const Hash> keys, bool* out) noexcept {
  switch (shape.cell_bits) {
    case 8: return look_up<kProbes, 8>(shape, bytes, keys, out);
    case 16: return look_up<kProbes, 16>(shape, bytes, keys, out);
    default: return look_up<kProbes, 32>(shape, bytes, keys, out);
  }
}

}  // namespace

std::uint64_t may_contain_fuse(const Shape& shape, ConstBytes bytes, std::span<const Hash> keys, bool* out) noexcept {
  if (shape.cells == 0) {
    std::fill_n(out, keys.size(), false);
    return 0;
  }
  return shape.probes == 3 ? look_up<3>(shape, bytes, keys, out) : look_up<4>(shape, bytes, keys, out);
}

// Most keys are in the first layer: its blocks are asked for, whatever the codes say.
std::uint64_t may_contain_ribbon(const Shape& shape, ConstBytes bytes, std::span<const Hash> keys, bool* out) noexcept {
  const std::uint64_t slots = shape.param[0] != 0 ? shape.param[0] : shape.cells;
  const std::uint64_t block_bytes = 8u * shape.cell_bits;
  const bool far = bytes.size() >= kPrefetchFromBytes && slots != 0;
  std::uint64_t words[kGroup], maybes = 0;
  for (std::size_t at = 0; at < keys.size(); at += kGroup) {
    const std::size_t count = std::min(kGroup, keys.size() - at);
    for (std::size_t i = 0; i < count; ++i) {
      words[i] = Ribbon::word_of(shape, keys[at + i]);
      if (!far) continue;
      const std::byte* block = bytes.data() + Ribbon::start_of(words[i], slots) / Ribbon::kBlock * block_bytes;
      for (std::uint64_t line = 0; line < 2 * block_bytes; line += 64) prefetch(block + line);
    }
    for (std::size_t i = 0; i < count; ++i)
      maybes += out[at + i] = Ribbon::may_contain_word(shape, bytes, words[i]);
  }
  return maybes;
}

}  // namespace bloomery::kernels
