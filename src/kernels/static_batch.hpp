// Batches of lookups in static layouts: where a group of keys points to is computed and asked for, then read.
#pragma once
#include <cstdint>
#include <span>

#include "bloomery/layout/fuse.hpp"
#include "bloomery/layout/ribbon.hpp"

namespace bloomery::kernels {

std::uint64_t may_contain_fuse(const Shape& shape, ConstBytes bytes, std::span<const Hash> keys, bool* out) noexcept;
std::uint64_t may_contain_ribbon(const Shape& shape, ConstBytes bytes, std::span<const Hash> keys, bool* out) noexcept;

}  // namespace bloomery::kernels
