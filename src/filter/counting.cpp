// What only counting filters can do.
#include <algorithm>
#include <array>
#include <utility>

#include "bloomery/layout/counting.hpp"
#include "core/guard.hpp"
#include "filter/rep.hpp"
#include "kernels/kernels.hpp"

namespace bloomery {

namespace {

constexpr std::size_t kBlock = 512;

// A bit for each counter. REQUIRES: bits has room for s.cells of them, all zero.
void set_bits(const Shape& s, ConstBytes counters, Bytes bits) noexcept {
  for (std::uint64_t cell = 0; cell < s.cells; ++cell)
    if (Counting::value_at(s, counters, cell) != 0) bits[cell / 8] |= std::byte{1} << (cell % 8);
}

// All bits of each counter above zero: blocked asks for one of them. REQUIRES: equal sizes.
void fill_cells(const Shape& s, ConstBytes counters, Bytes bits) noexcept {
  for (std::uint64_t cell = 0; cell < s.cells; ++cell)
    if (Counting::value_at(s, counters, cell) != 0) Counting::put(s, bits, cell, Counting::maximum(s));
}

Shape plain_shape(const Shape& s) noexcept {
  if (s.rule == Counting::kSpreadRule)
    return {.kind = Kind::classic, .rule = Classic::kMixedRule, .probes = s.probes, .cells = s.cells};
  return {.kind = Kind::blocked, .probes = s.probes, .cells = Counting::lines(s)};
}

}  // namespace

Result<void> Filter::Rep::check_erasable() const {
  if (segments[0].shape.kind != Kind::counting) {
    return Error{Errc::not_supported, "kind " + std::string(name(segments[0].shape.kind)) +
                                          " cannot erase: keys can be taken out of counting filters only"};
  }
  if (read_only()) return Error{Errc::not_supported, "this filter is read-only: clone() it to change it"};
  return {};
}

Result<Erased> Filter::erase(std::string_view key) {
  const auto erased = erase(std::span(&key, 1));
  if (!erased) return erased.error();
  return *erased == 1 ? Erased::erased : Erased::absent;
}

Result<Erased> Filter::erase(Hash key) {
  const auto erased = erase(std::span<const Hash>(&key, 1));
  if (!erased) return erased.error();
  return *erased == 1 ? Erased::erased : Erased::absent;
}

Result<std::uint64_t> Filter::erase(std::span<const std::string_view> keys, std::span<bool> erased) {
  if (auto can = rep_->check_erasable(); !can) return can.error();
  if (rep_->key_missing) return Error{Errc::key_required, "this filter's hash has a secret key: open it with the key"};
  if (!rep_->hashable())
    return Error{Errc::not_supported, "this filter takes ready-made hashes (precomputed): erase a Hash"};
  std::uint64_t count = 0;
  std::array<Hash, kBlock> hashes;
  for (std::size_t at = 0; at < keys.size(); at += kBlock) {
    const std::size_t size = std::min(kBlock, keys.size() - at);
    rep_->hasher(keys.subspan(at, size), std::span(hashes.data(), size));
    const auto block = erase(std::span<const Hash>(hashes.data(), size), erased.empty() ? erased : erased.subspan(at, size));
    count += *block;  // cannot fail: it was checked above
  }
  return count;
}

Result<std::uint64_t> Filter::erase(std::span<const Hash> keys, std::span<bool> erased) {
  if (auto can = rep_->check_erasable(); !can) return can.error();
  const auto done = kernels::erase(rep_->segments[0].shape, rep_->writable(0), keys, erased.data());
  rep_->counts.inserted -= std::min(done.gone, rep_->counts.inserted);
  rep_->counts.estimated |= done.erased != 0;
  rep_->segments[0].keys_inserted -= std::min(done.gone, rep_->segments[0].keys_inserted);
  return done.erased;
}

std::optional<std::uint64_t> Filter::count_at_most(std::string_view key) const noexcept {
  if (!rep_->hashable()) return std::nullopt;
  return count_at_most(rep_->hasher(key));
}

std::optional<std::uint64_t> Filter::count_at_most(Hash key) const noexcept {
  if (kind() != Kind::counting) return std::nullopt;
  return Counting::count_at_most(rep_->segments[0].shape, rep_->segments[0].bytes, key);
}

Result<Filter> Filter::to_plain() const {
  return guarded([&]() -> Result<Filter> { return to_plain_unguarded(); });
}

Result<Filter> Filter::to_plain_unguarded() const {
  if (kind() != Kind::counting)
    return Error{Errc::not_supported, "kind " + std::string(name(kind())) + " has no counters to turn into bits"};
  const Segment& from = rep_->segments[0];
  const bool spread = from.shape.rule == Counting::kSpreadRule;
  if (spread && rep_->hasher.id == HashId::murmur3)
    return Error{Errc::not_supported, "under murmur3 classic filters have another index rule than counting ones"};
  auto plain = std::make_unique<Rep>();
  plain->hasher = rep_->hasher;
  plain->stored_key = rep_->stored_key;
  plain->key_missing = rep_->key_missing;
  plain->counts = rep_->counts;
  Segment to = from;
  to.shape = plain_shape(from.shape);
  auto memory = Memory::zeroed(spread ? Classic::size_bytes(to.shape) : Blocked::size_bytes(to.shape));
  if (!memory) return memory.error();
  (spread ? set_bits : fill_cells)(from.shape, from.bytes, memory->bytes());
  plain->add(to, std::move(*memory));
  return Filter(std::move(plain));
}

}  // namespace bloomery
