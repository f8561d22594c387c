// Hashes by number, for tests and measurements: as good as random, and the same everywhere.
#pragma once
#include <cstdint>
#include <vector>

#include "bloomery/hash.hpp"

namespace bloomery {

inline Hash nth_hash(std::uint64_t i) noexcept {
  return {mix(mix(i * 2 + 1) + kGolden), mix(mix(i * 2 + 1'000'000'007) + kGolden)};
}

// Those of first, first + 1, ...
inline std::vector<Hash> nth_hashes(std::uint64_t first, std::uint64_t count) {
  std::vector<Hash> list(count);
  for (std::uint64_t i = 0; i < count; ++i) list[i] = nth_hash(first + i);
  return list;
}

}  // namespace bloomery
