// The counting layout's batches: the cache misses of many keys overlap.
#pragma once
#include <cstdint>
#include <span>

#include "bloomery/layout/counting.hpp"
#include "kernels/kernels.hpp"

namespace bloomery::kernels {

// As kernels::may_contain, kernels::insert and kernels::erase, for a counting shape.
std::uint64_t may_contain_counting(const Shape& shape, ConstBytes bytes, std::span<const Hash> keys,
                                   bool* out) noexcept;
std::uint64_t insert_counting(const Shape& shape, Bytes bytes, std::span<const Hash> keys, bool* fresh) noexcept;
Erasures erase_counting(const Shape& shape, Bytes bytes, std::span<const Hash> keys, bool* erased) noexcept;

}  // namespace bloomery::kernels
