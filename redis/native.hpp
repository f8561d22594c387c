// bloomery's own filter: one cache line for most items, batches that overlap their cache misses, and the value in a
// file is the compact .blm form. It grows by the rule of the compatible filters: half the rate, `expansion` times
// the capacity.
#pragma once
#include <bloomery/file.hpp>
#include <bloomery/filter.hpp>
#include <string_view>
#include <vector>

#include "redis/bloom.hpp"

namespace bloomery::redis {

class Native final : public Bloom {
 public:
  // REQUIRES: 0 < error_rate < 1; capacity >= 1. expansion 0: does not grow. Null: no memory.
  static std::unique_ptr<Native> create(double error_rate, std::uint64_t capacity, std::uint32_t expansion) noexcept;
  // Null: not a blocked filter, damaged, or no memory. Every checksum is verified.
  static std::unique_ptr<Native> decode(std::string_view blm, std::uint32_t expansion) noexcept;

  void may_contain(std::span<const std::string_view> items, std::span<bool> out) const noexcept override;
  std::size_t add(std::span<const std::string_view> items, std::span<Added> out) noexcept override;
  std::unique_ptr<Bloom> clone() const noexcept override;
  Info info() const noexcept override;
  std::size_t memory_bytes() const noexcept override;

  std::uint32_t expansion() const noexcept { return expansion_; }
  // The .blm form. Empty: no memory.
  std::vector<std::byte> encode() const;

 private:
  Native(Filter filter, std::uint32_t expansion) noexcept : filter_(std::move(filter)), expansion_(expansion) {}
  std::uint64_t room() const noexcept;
  bool grow() noexcept;
  void insert(std::span<const std::string_view> items, std::span<Added> out) noexcept;
  Added add_to_full(std::string_view item) noexcept;

  Filter filter_;
  std::uint32_t expansion_;
};

}  // namespace bloomery::redis
