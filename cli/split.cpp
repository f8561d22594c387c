// This file is compiled once per instruction set.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cli/split.cpp"
#define HWY_DISABLED_TARGETS (HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV)
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "cli/split.hpp"

#include <bit>
#include <cstdint>
#include <cstring>
#include <type_traits>

HWY_BEFORE_NAMESPACE();
namespace cli {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

constexpr std::size_t kStep = 64;  // bytes per word of marks

#if HWY_TARGET == HWY_SCALAR
std::uint64_t marks_of(const char* p, char end) noexcept {
  std::uint64_t marks = 0;
  for (std::size_t i = 0; i < kStep; ++i) marks |= std::uint64_t{p[i] == end} << i;
  return marks;
}
#else
// A word as wide as the vector has lanes: read back narrower than written, it would wait for the cache.
template <std::size_t kLanes>
using Word = std::conditional_t<kLanes == 64, std::uint64_t,
                                std::conditional_t<kLanes == 32, std::uint32_t, std::uint16_t>>;

// Bit i: does p[i] end a line?
HWY_INLINE std::uint64_t marks_of(const char* p, char end) noexcept {
  const hn::CappedTag<std::uint8_t, kStep> bytes;
  constexpr std::size_t kLanes = hn::MaxLanes(bytes);
  const auto wanted = hn::Set(bytes, static_cast<std::uint8_t>(end));
  std::uint64_t marks = 0;
  for (std::size_t i = 0; i < kStep; i += kLanes) {
    std::uint8_t packed[8] = {};
    hn::StoreMaskBits(bytes, hn::Eq(hn::LoadU(bytes, reinterpret_cast<const std::uint8_t*>(p) + i), wanted), packed);
    Word<kLanes> word;
    std::memcpy(&word, packed, sizeof(word));
    marks |= std::uint64_t{word} << i;
  }
  return marks;
}
#endif

std::size_t split(std::string_view bytes, char end, std::string_view* lines, std::size_t room) {
  const char* start = bytes.data();
  const char* p = start;
  const char* const stop = start + bytes.size();
  std::size_t count = 0;
  for (; static_cast<std::size_t>(stop - p) >= kStep; p += kStep) {
    for (std::uint64_t marks = marks_of(p, end); marks != 0; marks &= marks - 1) {
      if (count == room) return count;
      const char* const at = p + std::countr_zero(marks);
      lines[count++] = {start, static_cast<std::size_t>(at - start)};
      start = at + 1;
    }
  }
  for (; p < stop && count < room; ++p) {
    if (*p != end) continue;
    lines[count++] = {start, static_cast<std::size_t>(p - start)};
    start = p + 1;
  }
  return count;
}

}  // namespace HWY_NAMESPACE
}  // namespace cli
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace cli {

HWY_EXPORT(split);

std::size_t split_lines(std::string_view bytes, char end, std::span<std::string_view> lines) noexcept {
  return HWY_DYNAMIC_DISPATCH(split)(bytes, end, lines.data(), lines.size());
}

}  // namespace cli
#endif
