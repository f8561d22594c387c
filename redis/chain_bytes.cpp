// The bytes that RedisBloom's SCANDUMP sends and LOADCHUNK takes: a header, then the bits of all links in a row.
#include <algorithm>
#include <cstring>
#include <new>

#include "bloomery/bits.hpp"
#include "redis/chain.hpp"
#include "redis/pieces.hpp"

namespace bloomery::redis {
namespace {

constexpr std::size_t kChainBytes = 20;  // items u64, links u32, options u32, growth u32
constexpr std::size_t kLinkBytes = 53;   // packed, see link_bytes

class Writer {
 public:
  template <class T>
  void put(T value) {
    out_.resize(out_.size() + sizeof value);
    std::memcpy(out_.data() + out_.size() - sizeof value, &value, sizeof value);
  }
  std::string take() noexcept { return std::move(out_); }

 private:
  std::string out_;
};

class Reader {
 public:
  explicit Reader(std::string_view bytes) noexcept : at_(reinterpret_cast<const std::byte*>(bytes.data())) {}
  // REQUIRES: that many bytes are left.
  template <class T>
  T take() noexcept {
    const T value = load_le<T>(at_);
    at_ += sizeof value;
    return value;
  }

 private:
  const std::byte* at_;
};

void put_link(Writer& out, const Link& link) {
  out.put(link.size_bytes);
  out.put(link.bits);
  out.put(link.items);
  out.put(link.error_rate);
  out.put(link.bits_per_item);
  out.put(link.probes);
  out.put(link.capacity);
  out.put(link.exponent);
}

Link take_link(Reader& in) noexcept {
  Link link;
  link.size_bytes = in.take<std::uint64_t>();
  link.bits = in.take<std::uint64_t>();
  link.items = in.take<std::uint64_t>();
  link.error_rate = in.take<double>();
  link.bits_per_item = in.take<double>();
  link.probes = in.take<std::uint32_t>();
  link.capacity = in.take<std::uint64_t>();
  link.exponent = in.take<std::uint8_t>();
  return link;
}

}  // namespace

std::string Chain::header() const {
  Writer out;
  out.put(items());
  out.put(static_cast<std::uint32_t>(links_.size()));
  out.put(options_);
  out.put(growth_);
  for (const Link& link : links_) put_link(out, link);
  return out.take();
}

std::unique_ptr<Chain> Chain::from_header(std::string_view header) noexcept {
  if (header.size() < kChainBytes) return nullptr;
  Reader in(header);
  const auto items = in.take<std::uint64_t>();
  const auto links = in.take<std::uint32_t>();
  const auto options = in.take<std::uint32_t>();
  const auto growth = in.take<std::uint32_t>();
  if (links == 0 || !accepted(options) || header.size() != kChainBytes + links * kLinkBytes) return nullptr;
  auto chain = std::unique_ptr<Chain>(new (std::nothrow) Chain(options, growth));
  if (!chain) return nullptr;
  for (std::uint32_t i = 0; i < links; ++i) {
    Link link = take_link(in);
    if (!sound(link) || link.bits % 64 != 0 || link.bits / 8 != link.size_bytes) return nullptr;
    link.data = zeroed_bits(link.size_bytes);
    if (!link.data || !chain->append(std::move(link))) return nullptr;
  }
  return chain->items() == items ? std::move(chain) : nullptr;
}

std::string_view Chain::run(std::uint64_t offset, std::uint64_t max_bytes) const noexcept {
  const auto place = place_of(offset, links_.size(), [&](std::size_t i) { return links_[i].size_bytes; });
  if (!place) return {};
  const Link& link = links_[place->part];
  return {reinterpret_cast<const char*>(link.data.get()) + place->offset,
          std::min(max_bytes, link.size_bytes - place->offset)};
}

Chain::Stored Chain::store(std::uint64_t offset, std::string_view bytes) noexcept {
  const auto place = place_of(offset, links_.size(), [&](std::size_t i) { return links_[i].size_bytes; });
  if (!place) return Stored::no_such_place;
  const Link& link = links_[place->part];
  if (bytes.size() > link.size_bytes - place->offset) return Stored::too_long;
  if (!bytes.empty()) std::memcpy(link.data.get() + place->offset, bytes.data(), bytes.size());
  return Stored::yes;
}

}  // namespace bloomery::redis
