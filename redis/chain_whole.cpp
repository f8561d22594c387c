// What concerns a chain as a whole, and not an item.
#include <algorithm>
#include <array>
#include <bit>
#include <cinttypes>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <new>

#include "redis/chain.hpp"
#include "redis/chain_type.hpp"

namespace bloomery::redis {
namespace {

// How many items its bits tell of. Negative: all are set.
double estimate_of(const Link& link) noexcept {
  std::uint64_t ones = 0;
  for (std::uint64_t i = 0; i < link.size_bytes; ++i) ones += static_cast<std::uint64_t>(std::popcount(link.data[i]));
  const double bits = static_cast<double>(link.modulus());
  if (static_cast<double>(ones) >= bits) return -1;
  return -bits / link.probes * std::log1p(-static_cast<double>(ones) / bits);
}

}  // namespace

std::unique_ptr<Value> Chain::clone() const noexcept {
  auto copy = std::unique_ptr<Chain>(new (std::nothrow) Chain(options_, growth_));
  for (const Link& link : links_) {
    if (!copy) return nullptr;
    Link twin = link.without_data();
    twin.data = zeroed_bits(link.size_bytes);
    if (!twin.data) return nullptr;
    std::memcpy(twin.data.get(), link.data.get(), link.size_bytes);
    if (!copy->append(std::move(twin))) return nullptr;
  }
  return copy;
}

std::uint64_t Chain::items() const noexcept {
  std::uint64_t sum = 0;
  for (const Link& link : links_) sum += link.items;
  return sum;
}

Info Chain::info() const noexcept {
  Info info = {.size_bytes = 32 + 64 * links_.size(), .filters = links_.size(), .items = items(),
               .expansion = options_ & kNonScaling ? 0 : growth_};
  for (const Link& link : links_) {
    info.capacity += link.capacity;
    info.size_bytes += link.size_bytes;
  }
  return info;
}

std::size_t Chain::memory_bytes() const noexcept {
  std::size_t sum = sizeof *this + links_.capacity() * sizeof(Link);
  for (const Link& link : links_) sum += memory.usable(link.data.get());
  return sum;
}

Type* Chain::type() const noexcept { return chain_type; }

double Chain::estimate() const noexcept {
  double sum = 0;
  for (const Link& link : links_) {
    const double items = estimate_of(link);
    if (items < 0) return -1;
    sum += items;
  }
  return sum;
}

// Fresh memory, and not zeros over the old: untouched pages cost nothing.
bool Chain::reset() noexcept {
  Bits empty = zeroed_bits(links_[0].size_bytes);
  if (!empty) return false;
  links_.erase(links_.begin() + 1, links_.end());
  links_[0].data = std::move(empty);
  links_[0].items = 0;
  return true;
}

bool Chain::move_block(std::size_t i, void* (*move)(void*, void*), void* context) noexcept {
  if (i >= links_.size()) return false;
  if (void* moved = move(context, links_[i].data.get())) {
    static_cast<void>(links_[i].data.release());  // whoever moved it has given it back
    links_[i].data.reset(static_cast<std::uint8_t*>(moved));
  }
  return true;
}

std::vector<std::string> Chain::describe() const {
  std::vector<std::string> lines;
  for (const Link& link : links_) {
    std::array<char, 256> text;
    const int size = std::snprintf(text.data(), text.size(),
                                   "bytes:%" PRIu64 " bits:%" PRIu64 " hashes:%u hashwidth:64 capacity:%" PRIu64
                                   " size:%" PRIu64 " ratio:%g",
                                   link.size_bytes, link.bits, link.probes, link.capacity, link.items, link.error_rate);
    lines.emplace_back(text.data(), static_cast<std::size_t>(size));
  }
  return lines;
}

std::string Chain::why_not_merge(const Chain& other) const {
  const auto differ = [](const char* field, std::uint64_t mine, std::uint64_t theirs) {
    return std::string(field) + " differ: " + std::to_string(mine) + " and " + std::to_string(theirs);
  };
  if (hash64() != other.hash64()) return "hashes differ";
  if (links_.size() != other.links_.size()) return differ("numbers of filters", links_.size(), other.links_.size());
  for (std::size_t i = 0; i < links_.size(); ++i) {
    const Link &a = links_[i], &b = other.links_[i];
    if (a.modulus() != b.modulus()) return differ("sizes in bits", a.modulus(), b.modulus());
    if (a.size_bytes != b.size_bytes) return differ("sizes in bytes", a.size_bytes, b.size_bytes);
    if (a.probes != b.probes) return differ("probes", a.probes, b.probes);
  }
  return {};
}

bool Chain::merge(const Chain& other) noexcept {
  bool changed = false;
  for (std::size_t i = 0; i < links_.size(); ++i) {
    Link& into = links_[i];
    const Link& from = other.links_[i];
    bool more = false;
    for (std::uint64_t j = 0; j < into.size_bytes; ++j) {
      more |= (from.data[j] & ~into.data[j]) != 0;
      into.data[j] |= from.data[j];
    }
    if (!more) continue;
    const double items = estimate_of(into);  // the bits alone know how many items were in both
    const std::uint64_t most = into.items + std::min(from.items, ~into.items);
    into.items = items < 0 ? most : std::clamp(static_cast<std::uint64_t>(items + 0.5), std::max(into.items, from.items), most);
    changed = true;
  }
  return changed;
}

}  // namespace bloomery::redis
