// bloomery's own filters, whose head in a file is that of the .blm form. Blocked: one cache line for most items,
// batches that overlap their cache misses, growing by the rule of the compatible filters (half the rate, `expansion`
// times the capacity). Counting: items can be deleted. Windowed: the oldest items are forgotten, by
// number or by the clock. These do not grow.
#pragma once
#include <bloomery/filter.hpp>
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "redis/bloom.hpp"
#include "redis/pieces.hpp"
#include "redis/window_clock.hpp"

namespace bloomery::redis {

class Native final : public Bloom {
 public:
  // REQUIRES: kind blocked, counting or windowed; 0 < error_rate < 1; capacity >= 1. expansion 0: does not grow.
  // Null: no memory, or a rate below kMinErrorRate.
  static std::unique_ptr<Native> create(Kind kind, double error_rate, std::uint64_t capacity,
                                        std::uint32_t expansion) noexcept;
  static constexpr double kMinErrorRate = 6e-18;  // the planner takes a part of it
  // A window of time, for `capacity` items in it. Where more come it is shorter, or else the rate is higher.
  static std::unique_ptr<Native> create_timed(double error_rate, std::uint64_t capacity, bool rate_gives_way,
                                              const WindowClock& clock) noexcept;
  // What header() describes, with all bytes zero. Null: not such a filter, damaged, or no memory.
  static std::unique_ptr<Native> from_header(std::string_view header) noexcept;
  // The expansion, then the clock: milliseconds of a generation, when the present one began, its items, the most of one.
  using Words = std::array<std::uint64_t, 5>;
  static std::unique_ptr<Native> from_header(const Words& words, std::string_view blm_header) noexcept;

  bool may_contain(std::string_view item) const noexcept override;
  Added add(std::string_view item, std::uint64_t max_bytes) noexcept override;
  void may_contain(std::span<const std::string_view> items, std::span<bool> out) const noexcept override;
  std::size_t add(std::span<const std::string_view> items, std::span<Added> out, std::uint64_t max_bytes) noexcept override;
  std::unique_ptr<Value> clone() const noexcept override;
  bool repeats_matter() const noexcept override { return filter_.kind() != Kind::blocked; }
  Info info() const noexcept override;
  std::size_t memory_bytes() const noexcept override;
  Type* type() const noexcept override;
  double estimate() const noexcept override;
  bool reset() noexcept override;
  bool move_block(std::size_t i, void* (*move)(void* context, void* block), void* context) noexcept override {
    return filter_.move_block(i, move, context);
  }
  std::vector<std::string> describe() const override;

  std::uint32_t expansion() const noexcept { return expansion_; }
  Kind kind() const noexcept { return filter_.kind(); }
  bool windowed() const noexcept { return filter_.kind() == Kind::windowed; }
  bool counts() const noexcept { return filter_.kind() == Kind::counting; }
  // May throw std::bad_alloc. Cost: O(size), for the checksums.
  std::string header() const override;  // words(), then blm_header()
  std::string blm_header() const;
  Words words() const noexcept;
  std::string_view run(std::uint64_t offset, std::uint64_t max_bytes) const noexcept override;
  Stored store(std::uint64_t offset, std::string_view bytes) noexcept override;

  // Windows of time.
  long long due_ms() const noexcept override;
  bool turn(long long now_ms) noexcept override;
  const WindowClock& clock() const noexcept { return clock_; }
  bool rate_gives_way() const noexcept;
  // The capacity that would have kept window and rate so far.
  std::uint64_t items_needed() const noexcept { return WindowClock::kGenerations * clock_.most_items; }

  // Counting: takes one copy of the item out. False: there is certainly none.
  bool erase(std::string_view item) noexcept;
  // How often the item was added, less deletions, at most; `counter_maximum()`: or more.
  std::uint64_t count(std::string_view item) const noexcept;
  std::uint64_t counter_maximum() const noexcept { return (std::uint64_t{1} << counter_bits()) - 1; }
  unsigned counter_bits() const noexcept { return filter_.segments()[0].shape.cell_bits; }

  // Union. Empty: done; else which field differs.
  enum class Changed : bool { no, yes };
  std::string why_not_merge(const Native& other) const;
  Changed merge(const Native& other) noexcept;  // REQUIRES: why_not_merge(other).empty()
  // 1 / by of the size. Empty: done.
  std::string fold(std::uint64_t by);

 private:
  Native(Filter filter, std::uint32_t expansion, const WindowClock& clock) noexcept
      : filter_(std::move(filter)), expansion_(expansion), clock_(clock) {}
  static std::unique_ptr<Native> wrap(Result<Filter> filter, std::uint32_t expansion, const WindowClock& clock) noexcept;
  std::optional<Place> place_in_payload(std::uint64_t offset) const noexcept;
  std::uint64_t room() const noexcept;
  Added grow(std::uint64_t max_bytes) noexcept;
  void insert(std::span<const std::string_view> items, std::span<Added> out) noexcept;
  Added add_to_full(std::string_view item, std::uint64_t max_bytes) noexcept;
  void forget_offers() noexcept;

  Filter filter_;
  std::uint32_t expansion_;
  WindowClock clock_;
};

}  // namespace bloomery::redis
