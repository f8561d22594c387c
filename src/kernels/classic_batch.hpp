// The classic layout's batches: no vector instructions, but the cache misses of many keys overlap.
#pragma once
#include <cstdint>
#include <span>

#include "bloomery/layout/classic.hpp"

namespace bloomery::kernels {

// As kernels::may_contain and kernels::insert, for a classic shape.
std::uint64_t may_contain_classic(const Shape& shape, ConstBytes bytes, std::span<const Hash> keys,
                                  bool* out) noexcept;
std::uint64_t insert_classic(const Shape& shape, Bytes bytes, std::span<const Hash> keys, bool* fresh) noexcept;

}  // namespace bloomery::kernels
