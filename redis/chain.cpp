#include "redis/chain.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <new>

#include "redis/murmur2.hpp"

namespace bloomery::redis {
namespace {

// Stored filters are checked against these very digits.
constexpr double kLn2 = 0.693147180559945;
constexpr double kLn2Squared = 0.480453013918201;

constexpr std::uint64_t kSeed64 = 0xc6a4a7935bd1e995;
constexpr std::uint32_t kSeed32 = 0x9747b28c;

constexpr std::size_t kGroup = 32;  // items whose cache misses overlap
constexpr std::uint32_t kFirstProbes = 2;

double bits_per_item(double error_rate) noexcept { return -std::log(error_rate) / kLn2Squared; }

std::uint32_t probes_for(double bits_per_item_of_link) noexcept {
  return static_cast<std::uint32_t>(std::ceil(kLn2 * bits_per_item_of_link));
}

// How many bits, by the options of the chain. False: more than 2^63.
bool plan_bits(Link& link, std::uint32_t options) noexcept {
  const double wish = static_cast<double>(link.capacity) * link.bits_per_item;
  if (!(wish < 0x1p63)) return false;
  std::uint64_t bits = std::max<std::uint64_t>(static_cast<std::uint64_t>(wish), 1);
  if (!(options & Chain::kExactBits)) {  // up to a power of two, and the room gained is for items
    link.exponent = static_cast<std::uint8_t>(std::logb(wish) + 1);
    if (link.exponent > 62) return false;
    bits = std::uint64_t{1} << link.exponent;
    link.capacity += static_cast<std::uint64_t>(static_cast<double>(
        static_cast<std::uint64_t>(static_cast<double>(bits) - wish)) / link.bits_per_item);
  }
  link.size_bytes = (bits + 63) / 64 * 8;
  link.bits = link.size_bytes * 8;
  return true;
}

bool test(const Link& link, std::uint64_t bit) noexcept { return link.data[bit >> 3] >> (bit & 7) & 1; }

template <class At>
bool in(const Link& link, const At& at, std::uint32_t from, std::uint32_t to) noexcept {
  for (std::uint32_t i = from; i < std::min(to, link.probes); ++i)
    if (!test(link, at[i])) return false;
  return true;
}

template <class At>
void set(Link& link, const At& at) noexcept {
  for (std::uint32_t i = 0; i < link.probes; ++i) {
    const std::uint64_t bit = at[i];
    link.data[bit >> 3] |= static_cast<std::uint8_t>(1u << (bit & 7));
  }
}

// Positions that were fetched once are not computed again: divisions take as long as a cache hit.
class Spots {
 public:
  Spots() noexcept {}  // nothing, so that a group of them costs nothing; begin() comes first
  void begin(const Positions& at) noexcept {
    at_ = at;
    known_ = 0;
  }
  // From 0 on, without a gap.
  void fetch(const Link& link, std::uint32_t from, std::uint32_t to) noexcept {
    for (std::uint32_t i = from; i < std::min(to, link.probes); ++i) {
      const std::uint64_t bit = at_[i];
      if (i < kKept) kept_[known_++] = bit;
      __builtin_prefetch(&link.data[bit >> 3]);
    }
  }
  std::uint64_t operator[](std::uint32_t i) const noexcept { return i < known_ ? kept_[i] : at_[i]; }

 private:
  static constexpr std::uint32_t kKept = 16;
  Positions at_;
  std::uint32_t known_;
  std::array<std::uint64_t, kKept> kept_;
};

}  // namespace

struct Chain::LastSpots {
  Spots spots;
};

bool sound(const Link& link) noexcept {
  return link.error_rate > 0 && link.error_rate < 1 && link.bits_per_item > 0 && link.bits_per_item < 2000 &&
         link.probes == probes_for(link.bits_per_item) && link.exponent <= 63 && link.bits > 0 &&
         (link.bits - 1) / 8 < link.size_bytes && link.modulus() <= link.bits;
}

std::unique_ptr<Chain> Chain::create(double error_rate, std::uint64_t capacity, std::uint32_t expansion) noexcept {
  const std::uint32_t options = kExactBits | kHash64 | (expansion ? 0u : kNonScaling);
  auto chain = std::unique_ptr<Chain>(new (std::nothrow) Chain(options, expansion ? expansion : 2));
  const double rate = std::min(error_rate, kMaxErrorRate) * (expansion ? kTightening : 1);
  if (!chain || chain->grow(capacity, rate, kNoLimit) != Added::fresh) return nullptr;
  return chain;
}

bool Chain::append(Link link) noexcept {
  try {
    links_.push_back(std::move(link));
    return true;
  } catch (const std::bad_alloc&) {
    return false;
  }
}

Added Chain::grow(std::uint64_t capacity, double error_rate, std::uint64_t max_bytes) noexcept {
  if (!(error_rate > 0)) return Added::no_memory;  // halved until nothing was left
  Link link = {.capacity = capacity, .error_rate = error_rate, .bits_per_item = bits_per_item(error_rate)};
  link.probes = probes_for(link.bits_per_item);
  if (!plan_bits(link, options_) || !sound(link)) return Added::no_memory;
  if (max_bytes != kNoLimit && (max_bytes < info().size_bytes || link.size_bytes > max_bytes - info().size_bytes))
    return Added::over_limit;
  link.data = zeroed_bits(link.size_bytes);
  return link.data && append(std::move(link)) ? Added::fresh : Added::no_memory;
}

Chain::Hashes Chain::hash(std::string_view item) const noexcept {
  if (hash64()) {
    const std::uint64_t first = murmur64a(item, kSeed64);
    return {first, murmur64a(item, first)};
  }
  const std::uint32_t first = murmur2(item, kSeed32);
  return {first, murmur2(item, first)};
}

Positions Chain::positions(const Link& link, const Hashes& hashes) const noexcept {
  return {hashes.first, hashes.step, link.modulus(), link.exponent > 0 && link.exponent <= 31 && !hash64()};
}

bool Chain::contains(const Hashes& hashes, std::size_t links) const noexcept {
  return std::any_of(links_.begin(), links_.begin() + static_cast<std::ptrdiff_t>(links), [&](const Link& link) {
    return in(link, positions(link, hashes), 0, link.probes);
  });
}

Added Chain::add(const Hashes& hashes, const LastSpots& last, std::uint64_t max_bytes) noexcept {
  if (in(links_.back(), last.spots, 0, links_.back().probes) || contains(hashes, links_.size() - 1)) return Added::repeat;
  if (links_.back().items >= links_.back().capacity) {
    if (options_ & kNonScaling) return Added::full;
    std::uint64_t next = 0;
    if (__builtin_mul_overflow(links_.back().capacity, growth_, &next) || next == 0)
      return Added::no_memory;
    const Added grown = grow(next, links_.back().error_rate * kTightening, max_bytes);
    if (grown != Added::fresh) return grown;
    set(links_.back(), positions(links_.back(), hashes));
  } else {
    set(links_.back(), last.spots);
  }
  ++links_.back().items;
  return Added::fresh;
}

// Two probes end three misses of four. So: fetch these for a whole group before the first is read, then the others
// for the items that are left.
void Chain::find(std::span<const Hashes> hashes, std::span<bool> out) const noexcept {
  std::fill(out.begin(), out.end(), false);
  for (auto link = links_.rbegin(); link != links_.rend(); ++link) {
    std::array<std::uint8_t, kGroup> left;
    std::size_t count = 0;
    std::array<Spots, kGroup> spots;
    for (std::size_t i = 0; i < hashes.size(); ++i) {
      if (out[i]) continue;
      spots[i].begin(positions(*link, hashes[i]));
      spots[i].fetch(*link, 0, kFirstProbes);
    }
    for (std::size_t i = 0; i < hashes.size(); ++i) {
      if (out[i] || !in(*link, spots[i], 0, kFirstProbes)) continue;
      spots[i].fetch(*link, kFirstProbes, link->probes);
      left[count++] = static_cast<std::uint8_t>(i);
    }
    for (std::size_t i = 0; i < count; ++i) out[left[i]] = in(*link, spots[left[i]], kFirstProbes, link->probes);
  }
}

void Chain::may_contain(std::span<const std::string_view> items, std::span<bool> out) const noexcept {
  if (items.size() == 1) {
    out[0] = contains(hash(items[0]), links_.size());
    return;
  }
  std::array<Hashes, kGroup> hashes;
  for (std::size_t done = 0; done < items.size(); done += kGroup) {
    const std::size_t count = std::min(kGroup, items.size() - done);
    for (std::size_t i = 0; i < count; ++i) hashes[i] = hash(items[done + i]);
    find(std::span(hashes).first(count), out.subspan(done, count));
  }
}

std::size_t Chain::add(std::span<const std::string_view> items, std::span<Added> out, std::uint64_t max_bytes) noexcept {
  std::array<Hashes, kGroup> hashes;
  std::array<LastSpots, kGroup> last;
  for (std::size_t done = 0; done < items.size(); done += kGroup) {
    const std::size_t count = std::min(kGroup, items.size() - done), links = links_.size();
    for (std::size_t i = 0; i < count; ++i) {
      hashes[i] = hash(items[done + i]);
      last[i].spots.begin(positions(links_.back(), hashes[i]));
      if (items.size() > 1) last[i].spots.fetch(links_.back(), 0, links_.back().probes);
    }
    for (std::size_t i = 0; i < count; ++i) {
      if (links_.size() != links) last[i].spots.begin(positions(links_.back(), hashes[i]));  // it has grown since
      out[done + i] = add(hashes[i], last[i], max_bytes);
      if (out[done + i] == Added::full) return done + i + 1;
    }
  }
  return items.size();
}

}  // namespace bloomery::redis
