// What the commands ask of a value, whichever way it keeps its bits.
#pragma once
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "redis/api.hpp"

namespace bloomery::redis {

// What a key holds. A pointer to it is what the server keeps.
class Value {
 public:
  Value() noexcept { ++alive; }
  Value(const Value&) = delete;
  Value& operator=(const Value&) = delete;
  virtual ~Value() { --alive; }
  static inline std::atomic<std::uint64_t> alive = 0;  // of all; a thread of the server may free them

  // A copy of its own. Null: no memory.
  virtual std::unique_ptr<Value> clone() const noexcept = 0;
  virtual std::size_t memory_bytes() const noexcept = 0;  // as the allocator has it
  virtual Type* type() const noexcept = 0;
  // Its blocks of memory are numbered from 0. Gives block i to `move`, which says where it is now: null: where it was.
  // False: there is no such block.
  virtual bool move_block(std::size_t i, void* (*move)(void* context, void* block), void* context) noexcept = 0;
  // In pieces (pieces.hpp): the head; and of its bytes, counted over all its filters one after the other, those from
  // `offset` on that are of one filter, max_bytes at most. Empty: past the end.
  virtual std::string header() const = 0;
  virtual std::string_view run(std::uint64_t offset, std::uint64_t max_bytes) const noexcept = 0;
  // Puts such a run in its place.
  enum class Stored : std::uint8_t { yes, no_such_place, too_long };
  virtual Stored store(std::uint64_t offset, std::string_view bytes) noexcept = 0;
  // How many pieces it is freed in, when that is to be done elsewhere.
  std::size_t free_effort() const noexcept { return 1 + (memory_bytes() >> 16); }
};

// What became of an item. full: the filter may not grow. no_memory: it may, and could not. over_limit: not beyond the
// limit that was given.
enum class Added : std::uint8_t { repeat, fresh, full, no_memory, over_limit };

constexpr std::uint64_t kNoLimit = ~std::uint64_t{0};

struct Info {
  std::uint64_t capacity = 0;    // of all its filters
  std::uint64_t size_bytes = 0;
  std::uint64_t filters = 0;
  std::uint64_t items = 0;       // that were new
  std::uint32_t expansion = 0;   // 0: does not grow
};

class Bloom : public Value {
 public:
  virtual bool may_contain(std::string_view item) const noexcept = 0;
  // Grows to max_bytes at most.
  virtual Added add(std::string_view item, std::uint64_t max_bytes) noexcept = 0;
  // The same of many, which is faster.
  // REQUIRES: out.size() == items.size().
  virtual void may_contain(std::span<const std::string_view> items, std::span<bool> out) const noexcept = 0;
  // One after the other; stops after an item that found it full. Returns how many have an answer.
  // REQUIRES: out.size() == items.size().
  virtual std::size_t add(std::span<const std::string_view> items, std::span<Added> out,
                          std::uint64_t max_bytes) noexcept = 0;

  // Does adding an item that is there change anything?
  virtual bool repeats_matter() const noexcept { return false; }
  // Windows of time: the time to turn to, before anything is added. 0: none is due.
  virtual long long due_ms() const noexcept { return 0; }
  // Begins the generations that are due at a time. False: none is.
  virtual bool turn(long long) noexcept { return false; }
  virtual Info info() const noexcept = 0;
  virtual std::vector<std::string> describe() const = 0;  // a line for each of its filters
  // How many items the bits tell of. Negative: all are set, nobody knows.
  virtual double estimate() const noexcept = 0;
  // Forgets all items, and what it grew by. False: no memory, and nothing has changed.
  virtual bool reset() noexcept = 0;
};

}  // namespace bloomery::redis
