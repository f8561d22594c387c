#include "keys.hpp"

#include <array>
#include <bloomery/bits.hpp>
#include <cstring>
#include <new>

namespace bench {
namespace {

constexpr std::string_view kAlphabet = "abcdefghijklmnopqrstuvwxyz0123456789-_ABCDEFGHIJKLMNOPQRSTUVWXYZ";
constexpr std::array<std::string_view, 4> kPrefixes = {"https://www.", "http://", "https://cdn.", "https://api."};

}  // namespace

std::size_t write_url(std::uint64_t i, char* out) noexcept {
  std::uint64_t word = splitmix(i);
  const std::uint64_t choice = splitmix(word);
  const std::size_t size = 24 + (choice >> 32) % 57;
  const std::string_view prefix = kPrefixes[choice & 3];
  std::memcpy(out, prefix.data(), prefix.size());
  std::size_t at = prefix.size();
  for (int digit = 0; digit < 11; ++digit, word >>= 6) out[at++] = kAlphabet[word & 63];  // all 64 bits: distinct
  std::uint64_t filler = choice;
  for (int used = 0; at < size; ++used, ++at) {
    if (used % 8 == 0) filler = splitmix(filler);
    out[at] = at % 13 == 12 ? '/' : kAlphabet[(filler >> (used % 8 * 6)) & 63];
  }
  return size;
}

template <>
KeyArray<std::uint64_t>::KeyArray(std::uint64_t count, const std::function<std::uint64_t(std::uint64_t)>& index)
    : keys_(count * sizeof(std::uint64_t)) {
  auto* keys = keys_.as<std::uint64_t>();
  for (std::uint64_t i = 0; i < count; ++i) keys[i] = splitmix(index(i));
}

template <>
KeyArray<std::string_view>::KeyArray(std::uint64_t count, const std::function<std::uint64_t(std::uint64_t)>& index)
    : keys_(count * sizeof(std::string_view)) {
  std::array<char, kMaxUrlBytes> url;
  std::size_t total = 0;
  for (std::uint64_t i = 0; i < count; ++i) total += write_url(index(i), url.data());
  text_ = Pages(total);
  char* text = text_.as<char>();
  auto* keys = keys_.as<std::string_view>();
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::size_t size = write_url(index(i), text);
    new (keys + i) std::string_view(text, size);
    text += size;
  }
}

template <class Key>
KeySets<Key>::KeySets(std::uint64_t member_count, std::uint64_t probe_count) {
  const auto far = [](unsigned stream, std::uint64_t i) { return (std::uint64_t{stream} << 48) + i; };
  const auto some_member = [=](unsigned stream, std::uint64_t i) {
    return bloomery::high64(splitmix(far(stream, i)), member_count);
  };
  members = KeyArray<Key>(member_count, [](std::uint64_t i) { return i; });
  misses = KeyArray<Key>(probe_count, [=](std::uint64_t i) { return far(1, i); });
  hits = KeyArray<Key>(probe_count, [=](std::uint64_t i) { return some_member(2, i); });
  mixed = KeyArray<Key>(probe_count,
                        [=](std::uint64_t i) { return splitmix(far(3, i)) & 1 ? some_member(4, i) : far(5, i); });
}

template class KeyArray<std::uint64_t>;
template class KeyArray<std::string_view>;
template struct KeySets<std::uint64_t>;
template struct KeySets<std::string_view>;

}  // namespace bench
