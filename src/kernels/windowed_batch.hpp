// Batches of kind windowed, with the lines fetched ahead.
#pragma once
#include <cstdint>
#include <span>

#include "bloomery/layout.hpp"

namespace bloomery::kernels {

// As may_contain and insert of kernels.hpp. `turns`: as Windowed::may_contain. REQUIRES: shape.kind == Kind::windowed.
std::uint64_t may_contain_windowed(const Shape& shape, ConstBytes bytes, std::span<const Hash> keys, bool* out,
                                   std::uint64_t turns = 0) noexcept;
std::uint64_t insert_windowed(const Shape& shape, Bytes bytes, std::span<const Hash> keys, bool* fresh) noexcept;

}  // namespace bloomery::kernels
