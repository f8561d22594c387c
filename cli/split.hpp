// Where lines end: many at a time, with vector instructions.
#pragma once
#include <cstddef>
#include <span>
#include <string_view>

namespace cli {

// The lines of `bytes` that end in `end`, without it, as many as `lines` has room for; returns how many.
// Bytes behind the last `end` are no line. Cost: O(the bytes of these lines).
std::size_t split_lines(std::string_view bytes, char end, std::span<std::string_view> lines) noexcept;

}  // namespace cli
