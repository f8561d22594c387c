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

constexpr std::size_t kBlock = 256;  // items taken together
constexpr std::size_t kAhead = 8;    // that many items before its bits are read, an item's memory is asked for
constexpr std::uint32_t kFirstProbes = 2;
constexpr std::uint32_t kKept = 16;  // places of an item's bits that are kept from testing to setting: all, at 1e-4

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

// What is read of a link for every item: a copy, which nothing that is written meanwhile can change.
struct Probed {
  explicit Probed(const Link& link) noexcept : data(link.data.get()), probes(link.probes), at(link.at) {}
  const std::uint8_t* data;
  std::uint32_t probes;
  Probing at;
};

bool in(const Probed& link, const Hashes& hashes, std::uint32_t from, std::uint32_t to) noexcept {
  for (std::uint32_t i = from; i < std::min(to, link.probes); ++i) {
    const std::uint64_t bit = link.at(hashes, i);
    if (!(link.data[bit >> 3] >> (bit & 7) & 1)) return false;
  }
  return true;
}

// All probes at once: where memory was not asked for before, waiting for it takes longer than reading on, and nobody can
// guess at which probe a miss ends.
bool in(const Probed& link, const Hashes& hashes) noexcept {
  unsigned all = 1;
  for (std::uint32_t i = 0; i < link.probes; ++i) {
    const std::uint64_t bit = link.at(hashes, i);
    all &= static_cast<unsigned>(link.data[bit >> 3]) >> (bit & 7);
  }
  return all != 0;
}

// Inlined always: GCC takes a function that only prefetches for one that does nothing, and drops its calls.
[[gnu::always_inline]] inline void fetch(const Probed& link, const Hashes& hashes, std::uint32_t from,
                                         std::uint32_t to) noexcept {
  for (std::uint32_t i = from; i < std::min(to, link.probes); ++i)
    __builtin_prefetch(&link.data[link.at(hashes, i) >> 3], 0, 2);  // into the second cache: 5% less than into the first
}

// False, and nothing is written: all bits are set. (Where the server shares its memory with a child that saves, each
// page that is written to is copied.)
bool set(Link& link, const Hashes& hashes) noexcept {
  std::array<std::uint64_t, kKept> kept;
  const Probing at = link.at;
  std::uint8_t* const data = link.data.get();
  unsigned all = 1;
  for (std::uint32_t i = 0; i < std::min(link.probes, kKept); ++i) {
    kept[i] = at(hashes, i);
    all &= static_cast<unsigned>(data[kept[i] >> 3]) >> (kept[i] & 7);
  }
  if (all != 0 && in(Probed(link), hashes, kKept, link.probes)) return false;
  for (std::uint32_t i = 0; i < link.probes; ++i) {
    const std::uint64_t bit = i < kKept ? kept[i] : at(hashes, i);
    data[bit >> 3] |= static_cast<std::uint8_t>(1u << (bit & 7));
  }
  return true;
}

}  // namespace

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
  link.at = probing(link);
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

Hashes Chain::hash(std::string_view item) const noexcept {
  if (hash64()) {
    const std::uint64_t first = murmur64a(item, kSeed64);
    return {kept_apart(first), murmur64a(item, first)};
  }
  const std::uint32_t first = murmur2(item, kSeed32);
  return {first, murmur2(item, first)};
}

// Old small filters compute in 32 bits.
Probing Chain::probing(const Link& link) const noexcept {
  return {link.modulus(), link.exponent > 0 && link.exponent <= 31 && !hash64()};
}

bool Chain::contains(const Hashes& hashes, std::size_t links) const noexcept {
  return std::any_of(links_.begin(), links_.begin() + static_cast<std::ptrdiff_t>(links),
                     [&](const Link& link) { return in(Probed(link), hashes); });
}

Added Chain::add_to_last(const Hashes& hashes, std::uint64_t max_bytes) noexcept {
  const Link& last = links_.back();
  if (last.items >= last.capacity) {
    if (in(Probed(last), hashes)) return Added::repeat;
    if (options_ & kNonScaling) return Added::full;
    std::uint64_t next = 0;
    if (__builtin_mul_overflow(last.capacity, growth_, &next) || next == 0) return Added::no_memory;
    const Added grown = grow(next, last.error_rate * kTightening, max_bytes);
    if (grown != Added::fresh) return grown;
  }
  if (!set(links_.back(), hashes)) return Added::repeat;
  ++links_.back().items;
  return Added::fresh;
}

bool Chain::may_contain(std::string_view item) const noexcept { return contains(hash(item), links_.size()); }

Added Chain::add(std::string_view item, std::uint64_t max_bytes) noexcept {
  const Hashes hashes = hash(item);
  return links_.size() > 1 && contains(hashes, links_.size() - 1) ? Added::repeat : add_to_last(hashes, max_bytes);
}

// The hashes of up to kBlock items, each computed when it is asked for the first time, in order.
class Chain::Block {
 public:
  Block(const Chain& chain, std::span<const std::string_view> items) noexcept : chain_(chain), items_(items) {}
  std::size_t size() const noexcept { return items_.size(); }
  const Hashes& operator[](std::size_t i) noexcept {
    if (i == known_) hashes_[known_++] = chain_.hash(items_[i]);
    return hashes_[i];
  }

 private:
  const Chain& chain_;
  std::span<const std::string_view> items_;
  std::size_t known_ = 0;
  std::array<Hashes, kBlock> hashes_;
};

// Two probes end three misses of four. So: ask for the memory of these first, and for that of the others when the two
// have found their bits.
void Chain::find(const Link& whole, Block& block, std::span<bool> out) const noexcept {
  const Probed link(whole);
  std::array<bool, kBlock> open;
  for (std::size_t i = 0; i < block.size() + 2 * kAhead; ++i) {
    if (i < block.size()) {
      const Hashes& hashes = block[i];
      if (!out[i]) fetch(link, hashes, 0, kFirstProbes);
    }
    if (const std::size_t j = i - kAhead; j < block.size()) {
      open[j] = !out[j] && in(link, block[j], 0, kFirstProbes);
      if (open[j]) fetch(link, block[j], kFirstProbes, link.probes);
    }
    if (const std::size_t j = i - 2 * kAhead; j < block.size() && open[j])
      out[j] = in(link, block[j], kFirstProbes, link.probes);
  }
}

// The newest link is the largest.
void Chain::find(std::size_t links, Block& block, std::span<bool> out) const noexcept {
  std::fill(out.begin(), out.end(), false);
  while (links-- > 0) find(links_[links], block, out);
}

void Chain::may_contain(std::span<const std::string_view> items, std::span<bool> out) const noexcept {
  for (std::size_t done = 0; done < items.size(); done += kBlock) {
    Block block(*this, items.subspan(done, std::min(kBlock, items.size() - done)));
    find(links_.size(), block, out.subspan(done, block.size()));
  }
}

std::size_t Chain::add(Block& block, std::span<Added> out, std::uint64_t max_bytes) noexcept {
  std::array<bool, kBlock> known;  // to the links before the last
  find(links_.size() - 1, block, std::span(known).first(block.size()));
  std::size_t links = links_.size();
  Probed last(links_.back());
  for (std::size_t i = 0; i < block.size() + kAhead; ++i) {
    if (i < block.size()) fetch(last, block[i], 0, last.probes);
    const std::size_t j = i - kAhead;
    if (j >= block.size()) continue;
    out[j] = known[j] ? Added::repeat : add_to_last(block[j], max_bytes);
    if (out[j] == Added::full) return j + 1;
    if (links_.size() == links) continue;
    links = links_.size();  // it has grown
    last = Probed(links_.back());
    for (std::size_t later = j + 1; later < block.size(); ++later) known[later] = contains(block[later], links - 1);
  }
  return block.size();
}

std::size_t Chain::add(std::span<const std::string_view> items, std::span<Added> out, std::uint64_t max_bytes) noexcept {
  std::size_t done = 0;
  while (done < items.size() && (done == 0 || out[done - 1] != Added::full)) {
    Block block(*this, items.subspan(done, std::min(kBlock, items.size() - done)));
    done += add(block, out.subspan(done, block.size()), max_bytes);
  }
  return done;
}

}  // namespace bloomery::redis
