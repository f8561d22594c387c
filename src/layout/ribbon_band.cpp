#include "layout/ribbon_band.hpp"

#include <bit>

namespace bloomery {

Result<RibbonBand> RibbonBand::of(std::uint64_t slots) {
  auto coefficients = Memory::zeroed(slots * sizeof(std::uint64_t));
  if (!coefficients) return coefficients.error();
  auto values = Memory::zeroed(slots * sizeof(std::uint32_t));
  if (!values) return values.error();
  RibbonBand band;
  band.slots_ = slots;
  band.coefficients_ = std::move(*coefficients);
  band.values_ = std::move(*values);
  return band;
}

// Gaussian elimination of one row: slot i holds the row whose first coefficient is there, if any.
bool RibbonBand::insert(std::uint64_t word) {
  std::uint64_t slot = Ribbon::start_of(word, slots_), row = Ribbon::coefficients_of(word);
  auto value = static_cast<std::uint32_t>(word);
  while (coefficients()[slot] != 0) {
    row ^= coefficients()[slot];
    value ^= values()[slot];
    if (row == 0) return false;  // a contradiction, or a chance of one in 2^32
    const int zeros = std::countr_zero(row);
    slot += static_cast<unsigned>(zeros);
    row >>= zeros;
  }
  coefficients()[slot] = row;
  values()[slot] = value;
  taken_.push_back(slot);
  return true;
}

// All keys of the group or none: what came last can be taken back, as no row before it has changed.
bool RibbonBand::insert_group(std::span<const std::uint64_t> words) {
  taken_.clear();
  for (auto word = words.rbegin(); word != words.rend(); ++word) {
    if (insert(*word)) continue;
    for (const std::uint64_t slot : taken_) coefficients()[slot] = 0;
    return false;
  }
  return true;
}

bool RibbonBand::insert_all(std::span<const std::uint64_t> words) {
  for (const std::uint64_t word : words) {
    taken_.clear();
    if (!insert(word)) return false;
  }
  return true;
}

std::uint64_t RibbonBand::insert_bumping(std::span<std::uint64_t> words, std::byte* codes) {
  std::uint64_t first = 0, bumped = 0;
  const auto end_below = [&](std::uint64_t from, std::uint64_t place) {
    while (from < words.size() && Ribbon::start_of(words[from], slots_) < place) ++from;
    return from;
  };
  for (std::uint64_t bucket = 0; bucket * Ribbon::kBucket < slots_; ++bucket) {
    const std::uint64_t place = bucket * Ribbon::kBucket;
    // Group g of a bucket starts between kBumped[g] and kBumped[g + 1]. From the last to the first: the first
    // places suffer from what the bucket before has left there.
    std::uint64_t ends[4] = {first};
    for (unsigned g = 0; g < 3; ++g) ends[g + 1] = end_below(ends[g], place + Ribbon::kBumped[g + 1]);
    unsigned code = 3;
    while (code > 0 && insert_group(words.subspan(ends[code - 1], ends[code] - ends[code - 1]))) --code;
    codes[bucket / 4] |= static_cast<std::byte>(code << (2 * (bucket % 4)));
    for (std::uint64_t i = first; i < ends[code]; ++i) words[bumped++] = words[i];
    first = ends[3];
  }
  return bumped;
}

void RibbonBand::solve(unsigned cell_bits, std::byte* bytes) const noexcept {
  std::uint64_t window[Ribbon::kMaxCellBits] = {};  // bit j of the 64 slots from here on
  for (std::uint64_t slot = slots_; slot-- > 0;) {
    const std::uint64_t row = coefficients()[slot];
    const std::uint32_t value = row == 0 ? 0 : values()[slot];
    for (unsigned j = 0; j < cell_bits; ++j) {
      window[j] <<= 1;
      const auto others = static_cast<std::uint64_t>(std::popcount(window[j] & row));
      window[j] |= (others ^ (value >> j)) & 1;
    }
    if (slot % Ribbon::kBlock != 0) continue;
    std::byte* block = bytes + slot / 8 * cell_bits;
    for (unsigned j = 0; j < cell_bits; ++j) store_le(block + 8 * j, window[j]);
  }
}

}  // namespace bloomery
