// When fetching ahead pays.
#pragma once
#include <cstdint>

namespace bloomery::kernels {

// Below this many bytes a segment stays in the second-level cache, and asking for lines early costs more
// than it gains. (Caches of 1 and 2 MB are usual; where there is less, independent keys still overlap.)
inline constexpr std::uint64_t kPrefetchFromBytes = std::uint64_t{3} << 19;

}  // namespace bloomery::kernels
