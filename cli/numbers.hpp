// Numbers as people write them. Every function takes the whole text or refuses it with a Failure that
// names the argument, the range and the forms.
#pragma once
#include <cstdint>
#include <string_view>

namespace cli {

struct CountRange {
  std::uint64_t least;
  std::uint64_t most;
};

// 12, 1.5M, 1e9, 2^40: K M G T are powers of 1000. The result is a whole number.
std::uint64_t parse_count(std::string_view argument, std::string_view text, CountRange range);

// 512, 64K, 1.5M, 2G, 1T, 16KiB: powers of 1024; KB MB GB TB: powers of 1000. Rounded down to bytes.
std::uint64_t parse_size(std::string_view argument, std::string_view text, CountRange range);

// 0.01, 1e-6, 1%, 1/1000: at least kLeastRate and below 1.
inline constexpr double kLeastRate = 1e-18;
double parse_rate(std::string_view argument, std::string_view text);

// 30s, 10min, 1.5h, 500ms: in seconds, above 0 and at most a year.
double parse_duration(std::string_view argument, std::string_view text);

// 0 .. 2^64-1, decimal or 0x and hexadecimal.
std::uint64_t parse_seed(std::string_view argument, std::string_view text);

}  // namespace cli
