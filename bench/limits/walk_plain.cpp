// For every processor: eight 64-bit words.
#include <cstring>

#include "limits/walk-inl.hpp"

namespace bench {
namespace {

struct PlainLine {
  std::uint64_t words[8];

  static PlainLine load(const std::byte* p) noexcept {
    PlainLine line;
    std::memcpy(&line, p, sizeof line);
    return line;
  }
  void store(std::byte* p) const noexcept { std::memcpy(p, this, sizeof *this); }
  void stream(std::byte* p) const noexcept { store(p); }
  void join(const PlainLine& other) noexcept {
    for (int i = 0; i < 8; ++i) words[i] ^= other.words[i];
  }
  void set(std::uint64_t word) noexcept {
    for (std::uint64_t& w : words) w |= word;
  }
  std::uint64_t fold() const noexcept {
    std::uint64_t sum = 0;
    for (const std::uint64_t w : words) sum ^= w;
    return sum;
  }
};

}  // namespace

constinit const Walker kPlainWalker = Walks<PlainLine>::walker("words");

}  // namespace bench
