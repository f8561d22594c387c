// What the BF commands ask of a filter, whichever way it keeps its bits.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

namespace bloomery::redis {

// What became of an item. full: the filter may not grow. no_memory: it may, and could not.
enum class Added : std::uint8_t { repeat, fresh, full, no_memory };

struct Info {
  std::uint64_t capacity = 0;    // of all its filters
  std::uint64_t size_bytes = 0;
  std::uint64_t filters = 0;
  std::uint64_t items = 0;       // that were new
  std::uint32_t expansion = 0;   // 0: does not grow
};

class Bloom {
 public:
  virtual ~Bloom() = default;

  // REQUIRES: out.size() == items.size().
  virtual void may_contain(std::span<const std::string_view> items, std::span<bool> out) const noexcept = 0;
  // One after the other; stops after an item that found it full. Returns how many have an answer.
  // REQUIRES: out.size() == items.size().
  virtual std::size_t add(std::span<const std::string_view> items, std::span<Added> out) noexcept = 0;

  // A copy of its own. Null: no memory.
  virtual std::unique_ptr<Bloom> clone() const noexcept = 0;

  virtual Info info() const noexcept = 0;
  virtual std::size_t memory_bytes() const noexcept = 0;  // as the allocator has it
};

}  // namespace bloomery::redis
