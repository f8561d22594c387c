// RedisBloom's filter, bit for bit: a chain of Bloom filters, each larger and stricter than the one before, probed
// by double hashing with MurmurHash2. A foreign layout: nothing of it is used outside this folder.
// docs/redis.md has the mathematics.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "redis/bloom.hpp"
#include "redis/memory.hpp"
#include "redis/probing.hpp"

namespace bloomery::redis {

constexpr double kMaxErrorRate = 0.25;  // a larger wish is taken as this
constexpr double kTightening = 0.5;     // from one filter of the chain to the next

struct Link {
  std::uint64_t capacity = 0;
  double error_rate = 0;
  double bits_per_item = 0;
  std::uint32_t probes = 0;
  std::uint64_t bits = 0;
  std::uint8_t exponent = 0;  // old filters: 2^exponent bits; 0: `bits` of them
  std::uint64_t items = 0;
  std::uint64_t size_bytes = 0;
  Bits data = {};
  Probing at = {};  // since it was appended

  Link without_data() const noexcept {
    return {capacity, error_rate, bits_per_item, probes, bits, exponent, items, size_bytes, nullptr, at};
  }
  std::uint64_t modulus() const noexcept { return exponent ? std::uint64_t{1} << exponent : bits; }
};

// May this be queried safely, and is it what its numbers say?
bool sound(const Link& link) noexcept;

class Chain final : public Bloom {
 public:
  // Stored with every filter.
  enum Option : std::uint32_t { kExactBits = 1, kCapacityIsExponent = 2, kHash64 = 4, kNonScaling = 8 };
  static constexpr std::uint32_t kAllOptions = 15;

  // A new filter, without bits yet. REQUIRES: 0 < error_rate < 1; capacity >= 1. expansion 0: does not grow.
  // Null: no memory.
  static std::unique_ptr<Chain> create(double error_rate, std::uint64_t capacity, std::uint32_t expansion) noexcept;
  // One that was stored; links are appended. REQUIRES: accepted(options).
  Chain(std::uint32_t options, std::uint32_t growth) noexcept : options_(options), growth_(growth) {}
  static bool accepted(std::uint64_t options) noexcept { return options <= kAllOptions; }

  // REQUIRES: sound(link). False: no memory.
  bool append(Link link) noexcept;

  bool may_contain(std::string_view item) const noexcept override;
  Added add(std::string_view item, std::uint64_t max_bytes) noexcept override;
  void may_contain(std::span<const std::string_view> items, std::span<bool> out) const noexcept override;
  std::size_t add(std::span<const std::string_view> items, std::span<Added> out, std::uint64_t max_bytes) noexcept override;
  std::unique_ptr<Value> clone() const noexcept override;
  Info info() const noexcept override;
  std::size_t memory_bytes() const noexcept override;
  Type* type() const noexcept override;
  double estimate() const noexcept override;
  bool reset() noexcept override;
  bool move_block(std::size_t i, void* (*move)(void* context, void* block), void* context) noexcept override;
  std::vector<std::string> describe() const override;

  // Union, link by link. Empty: done; else which field differs.
  std::string why_not_merge(const Chain& other) const;
  bool merge(const Chain& other) noexcept;  // has anything changed? REQUIRES: why_not_merge(other).empty()

  const std::vector<Link>& links() const noexcept { return links_; }
  std::uint32_t options() const noexcept { return options_; }
  std::uint32_t growth() const noexcept { return growth_; }
  std::uint64_t items() const noexcept;
  bool hash64() const noexcept { return options_ & kHash64; }

  // The header of SCANDUMP, and the chain of empty links that one describes. No value: it describes none.
  std::string header() const override;
  static std::unique_ptr<Chain> from_header(std::string_view header) noexcept;
  std::string_view run(std::uint64_t offset, std::uint64_t max_bytes) const noexcept override;
  Stored store(std::uint64_t offset, std::string_view bytes) noexcept override;

 private:
  class Block;
  Hashes hash(std::string_view item) const noexcept;
  Probing probing(const Link& link) const noexcept;
  // In the first so many links?
  bool contains(const Hashes& hashes, std::size_t links) const noexcept;
  // In which the link has them all, out is set; what is set stays.
  void find(const Link& link, Block& block, std::span<bool> out) const noexcept;
  void find(std::size_t links, Block& block, std::span<bool> out) const noexcept;  // in the first so many
  // How many have an answer; the last found it full if these are not all.
  std::size_t add(Block& block, std::span<Added> out, std::uint64_t max_bytes) noexcept;
  // REQUIRES: the links before the last have not got the item.
  Added add_to_last(const Hashes& hashes, std::uint64_t max_bytes) noexcept;
  Added grow(std::uint64_t capacity, double error_rate, std::uint64_t max_bytes) noexcept;

  std::vector<Link> links_;
  std::uint32_t options_;
  std::uint32_t growth_;
};

}  // namespace bloomery::redis
