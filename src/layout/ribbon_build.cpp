// Building ribbon filters: layer by layer, each of the keys that the one before could not hold.
#include <algorithm>
#include <string>
#include <vector>

#include "bloomery/layout/ribbon.hpp"
#include "core/guard.hpp"
#include "layout/distinct_words.hpp"
#include "layout/ribbon_band.hpp"

namespace bloomery {

namespace {

constexpr unsigned kAttemptsPerSize = 8, kSizes = 8;
constexpr std::uint64_t kFewKeys = 2000;  // from here on bumping pays
// Keys for each slot of a layer that may bump: more than fit, so that nearly every slot is used.
constexpr double kLoad = 1.06;
// Slots for each key of the last layer, which must hold all; as many times larger as attempts have failed.
constexpr double kLastRoom = 1.3;

std::uint64_t whole_blocks(double slots) noexcept {
  return (static_cast<std::uint64_t>(slots) + Ribbon::kBlock - 1) / Ribbon::kBlock * Ribbon::kBlock;
}

std::uint64_t bumping_slots(std::uint64_t keys) noexcept {
  return keys < kFewKeys ? 0 : whole_blocks(static_cast<double>(keys) / kLoad);
}

std::uint64_t last_slots(std::uint64_t keys, unsigned failures) noexcept {
  return whole_blocks(static_cast<double>(keys) * (kLastRoom + 0.1 * failures)) + Ribbon::kBlock;
}

class Builder {
 public:
  Builder(Shape& shape, Bytes bytes, unsigned failures) noexcept : shape_(shape), bytes_(bytes), failures_(failures) {}

  // False, or a value, if the last layer could not hold its keys. May reorder and overwrite words.
  Result<bool> build(std::span<std::uint64_t> words) {
    shape_.cells = 0;
    std::vector<std::byte> codes;
    for (unsigned layer = 0; layer + 1 < Ribbon::kLayers; ++layer) {
      shape_.param[layer] = bumping_slots(words.size());
      if (auto done = add_bumping_layer(words, shape_.param[layer], codes); !done) return done.error();
      for (std::uint64_t& word : words) word = Ribbon::next_word(word);
      std::sort(words.begin(), words.end());
    }
    const std::uint64_t slots = last_slots(words.size(), failures_);
    if (!has_room(slots, codes.size())) return false;
    auto band = RibbonBand::of(slots);
    if (!band) return band.error();
    if (!band->insert_all(words)) return false;
    append(*band, slots);
    std::copy(codes.begin(), codes.end(), bytes_.data() + shape_.cells / 8 * shape_.cell_bits);
    return true;
  }

 private:
  // Leaves the bumped words in `words`.
  Result<void> add_bumping_layer(std::span<std::uint64_t>& words, std::uint64_t slots, std::vector<std::byte>& codes) {
    if (slots == 0) return {};
    auto band = RibbonBand::of(slots);
    if (!band) return band.error();
    const std::size_t at = codes.size();
    codes.resize(at + Ribbon::code_bytes(slots));
    words = words.first(band->insert_bumping(words, codes.data() + at));
    append(*band, slots);
    return {};
  }

  void append(const RibbonBand& band, std::uint64_t slots) noexcept {
    band.solve(shape_.cell_bits, bytes_.data() + shape_.cells / 8 * shape_.cell_bits);
    shape_.cells += slots;
  }

  bool has_room(std::uint64_t slots, std::uint64_t code_bytes) const noexcept {
    return (shape_.cells + slots) / 8 * shape_.cell_bits + code_bytes <= bytes_.size();
  }

  Shape& shape_;
  Bytes bytes_;
  unsigned failures_;
};

Result<std::uint64_t> build_unguarded(Shape& s, Bytes bytes, std::span<const Hash> keys) {
  for (unsigned attempt = 0; attempt < kAttemptsPerSize * kSizes; ++attempt) {
    s.salt = mix((attempt + 1) * kGolden);
    auto distinct = DistinctWords::of(keys, [salted = s](Hash h) { return Ribbon::word_of(salted, h); });
    if (!distinct) return distinct.error();
    distinct->sort();
    const std::uint64_t count = distinct->words().size();
    const auto built = Builder(s, bytes, attempt / kAttemptsPerSize).build(distinct->words());
    if (!built) return built.error();
    if (*built) return count;
  }
  return Error{Errc::full, "no ribbon filter could be built of these " + std::to_string(keys.size()) +
                               " keys: their hashes are not random"};
}

}  // namespace

Shape Ribbon::sized(const Shape& s, std::uint64_t keys) noexcept {
  constexpr double kBumpedShare = 0.058;  // of all keys, at this load; measured
  Shape sized = s;
  sized.salt = sized.cells = sized.param[0] = sized.param[1] = 0;
  if (keys == 0) return sized;
  std::uint64_t left = keys;
  for (unsigned layer = 0; layer + 1 < kLayers; ++layer) {
    sized.param[layer] = bumping_slots(left);
    if (sized.param[layer] != 0) left = static_cast<std::uint64_t>(static_cast<double>(left) * kBumpedShare);
  }
  sized.cells = sized.param[0] + sized.param[1] + last_slots(left, 0);
  return sized;
}

std::uint64_t Ribbon::build_bytes(const Shape& s, std::uint64_t keys) noexcept {
  if (keys == 0) return 0;
  return (2 * whole_blocks(static_cast<double>(keys)) + 16 * kBlock) / 8 * s.cell_bits + 2 * code_bytes(keys + kBucket);
}

Result<std::uint64_t> Ribbon::build(Shape& s, Bytes bytes, std::span<const Hash> keys) {
  s.salt = s.cells = s.param[0] = s.param[1] = 0;
  if (keys.empty()) return std::uint64_t{0};
  return guarded([&] { return build_unguarded(s, bytes, keys); });
}

}  // namespace bloomery
