// Inserting by several threads at once.
#include <algorithm>
#include <array>
#include <bit>

#include "bloomery/filter.hpp"
#include "filter/rep.hpp"
#include "kernels/blocked_kernel.hpp"
#include "kernels/distance.hpp"
#include "layout/layouts.hpp"

namespace bloomery {
namespace {

// Sets bits of a word that other threads may be setting bits of; was one of them not set?
// Most words of a full filter have theirs: they are only read, and no cache line changes hands.
// (The compilers' own operations: std::atomic_ref is missing from older libraries, among them WebAssembly's.)
template <class Word>
bool set_shared(std::byte* p, Word bits) noexcept {
  static_assert(std::endian::native == std::endian::little, "a big-endian port byte-swaps here");
  auto* const word = reinterpret_cast<Word*>(p);
  if ((__atomic_load_n(word, __ATOMIC_RELAXED) & bits) == bits) return false;
  return (__atomic_fetch_or(word, bits, __ATOMIC_RELAXED) & bits) != bits;
}

bool insert_shared(Blocked, const Shape& shape, Bytes bytes, Hash h) noexcept {
  bool fresh = false;
  Blocked::every_line(shape, h, [&](std::uint64_t w) {
    std::byte* line = bytes.data() + Blocked::line_of(w, shape.cells) * Blocked::kLineBytes;
    const unsigned subset = Blocked::subsets(shape.probes)[w & 63];
    const std::uint64_t pattern = Blocked::pattern_of(w);
    for (unsigned j = 0; j < Blocked::kWords; ++j) {
      const std::uint64_t bit = std::uint64_t{(subset >> j) & 1} << ((pattern >> (8 * j)) & 63);
      if (bit != 0) fresh |= set_shared(line + 8 * j, bit);
    }
    return true;
  });
  return fresh;
}

bool insert_shared(Classic, const Shape& shape, Bytes bytes, Hash h) noexcept {
  bool fresh = false;
  Classic::every_probe(shape, h, [&](std::uint64_t bit) {
    fresh |= set_shared(bytes.data() + bit / 8, static_cast<std::uint8_t>(1u << (bit % 8)));
    return true;
  });
  return fresh;
}

void fetch(Blocked, const Shape& shape, ConstBytes bytes, Hash h) noexcept {
  kernels::prefetch(bytes.data() + Blocked::line_of(h.lo, shape.cells) * Blocked::kLineBytes);
}
void fetch(Classic, const Shape&, ConstBytes, Hash) noexcept {}  // probes are too many, and too far apart

template <class L>
std::uint64_t insert_all(L layout, const Shape& shape, Bytes bytes, std::span<const Hash> keys, bool* fresh) noexcept {
  const std::size_t ahead = bytes.size() < kernels::kPrefetchFromBytes ? keys.size() : kernels::kPrefetchDistance;
  std::uint64_t count = 0;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (i + ahead < keys.size()) fetch(layout, shape, bytes, keys[i + ahead]);
    const bool changed = insert_shared(layout, shape, bytes, keys[i]);
    if (fresh != nullptr) fresh[i] = changed;
    count += changed;
  }
  return count;
}

void add_shared(std::uint64_t& sum, std::uint64_t more) noexcept {
  __atomic_fetch_add(&sum, more, __ATOMIC_RELAXED);
}

}  // namespace

std::uint64_t Filter::Rep::insert_shared_keys(std::span<const Hash> keys, bool* fresh) noexcept {
  const Shape& shape = segments[0].shape;
  const std::uint64_t count = shape.kind == Kind::blocked ? insert_all(Blocked{}, shape, writable(0), keys, fresh)
                                                          : insert_all(Classic{}, shape, writable(0), keys, fresh);
  add_shared(counts.offered, keys.size());
  add_shared(counts.inserted, count);
  add_shared(segments[0].keys_inserted, count);
  return count;
}

Result<void> Filter::Rep::check_concurrent() const {
  if (read_only()) return Error{Errc::not_supported, "this filter is read-only: clone() it to change it"};
  const Kind kind = segments[0].shape.kind;
  if (one_writable_segment() && (kind == Kind::blocked || kind == Kind::classic)) return {};
  return Error{Errc::not_supported, "only blocked and classic filters of one segment take keys from several threads"};
}

Result<std::uint64_t> Filter::insert_concurrent(std::span<const Hash> keys, std::span<bool> fresh) {
  if (auto checked = rep_->check_concurrent(); !checked) return checked.error();
  return rep_->insert_shared_keys(keys, fresh.data());
}

Result<std::uint64_t> Filter::insert_concurrent(std::span<const std::string_view> keys, std::span<bool> fresh) {
  if (auto checked = rep_->check_concurrent(); !checked) return checked.error();
  if (auto checked = rep_->check_hashable(); !checked) return checked.error();
  constexpr std::size_t kBlock = 512;
  std::array<Hash, kBlock> hashes;
  std::uint64_t count = 0;
  for (std::size_t at = 0; at < keys.size(); at += kBlock) {
    const auto block = keys.subspan(at, std::min(kBlock, keys.size() - at));
    const std::span<Hash> hashed(hashes.data(), block.size());
    rep_->hasher(block, hashed);
    count += rep_->insert_shared_keys(hashed, fresh.empty() ? nullptr : fresh.data() + at);
  }
  return count;
}

}  // namespace bloomery
