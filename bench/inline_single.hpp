// The header's single-key lookup, compiled twice: inline_single.cpp becomes two shared libraries.
#pragma once
#include <bloomery/layout.hpp>
#include <cstddef>
#include <cstdint>

namespace bench {

// How many of these keys the segment may contain, asked one by one.
std::uint64_t lookup_inline_native(const bloomery::Shape& shape, bloomery::ConstBytes bytes, const std::uint64_t* keys,
                                   std::size_t count);
std::uint64_t lookup_inline_baseline(const bloomery::Shape& shape, bloomery::ConstBytes bytes,
                                     const std::uint64_t* keys, std::size_t count);

}  // namespace bench
