// The 64 subsets of the blocked layout, spread out for vector code: one entry per word of a line.
#pragma once
#include <array>

#include "bloomery/layout/blocked.hpp"

namespace bloomery::kernels {

// Row i has kYes in element j if subset i has word j in it, else 0.
template <class Element>
struct alignas(64) SubsetTable {
  Element row[64][Blocked::kWords];
};

template <class Element>
constexpr std::array<SubsetTable<Element>, Blocked::kMaxProbes + 1> spread_subsets(Element yes) noexcept {
  std::array<SubsetTable<Element>, Blocked::kMaxProbes + 1> tables{};
  for (unsigned k = 1; k <= Blocked::kMaxProbes; ++k)
    for (unsigned i = 0; i < 64; ++i)
      for (unsigned j = 0; j < Blocked::kWords; ++j)
        tables[k].row[i][j] = (Blocked::subsets(k)[i] >> j) & 1 ? yes : Element{0};
  return tables;
}

// A one where the word takes a bit: shifting it into place gives that bit, or none.
inline constexpr auto kSubsetOnes = spread_subsets<std::uint64_t>(1);
// A mask where the word takes a bit, for kernels that work on bytes.
inline constexpr auto kSubsetMasks = spread_subsets<std::uint8_t>(0xFF);

}  // namespace bloomery::kernels
