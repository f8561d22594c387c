// The exact kind in memory: a hash table that is sorted. Slot order is hash order (the home of a
// fingerprint is high64(lo, homes), which is monotone in lo), and neighbours are kept ascending
// within a run, so writing it out sorted is a walk, and growing it in place is two sweeps.
// Source: linear probing with ordered runs, Amble and Knuth, "Ordered hash tables", 1974.
#pragma once
#include <cstdint>
#include <span>

#include "bloomery/hash.hpp"
#include "bloomery/result.hpp"
#include "core/memory.hpp"

namespace bloomery {

class ExactTable {
 public:
  static Result<ExactTable> create(std::uint64_t expected_keys);
  Result<ExactTable> clone() const;

  bool contains(Hash h) const noexcept;
  void prefetch(Hash h) const noexcept { __builtin_prefetch(slots() + home(h), 0, 1); }
  static constexpr std::size_t kPrefetchDistance = 32;

  // Was it new? Errors: no_memory; then nothing has changed.
  Result<bool> insert(Hash h);

  // Those before the first that finds no place without growing; fresh[i]: keys[i] was new. Returns how many.
  std::size_t insert_while_room(std::span<const Hash> keys, bool* fresh) noexcept;

  // Room for `more` keys within max_bytes. Errors: full, no_memory; then nothing has changed.
  Result<void> reserve(std::uint64_t more, std::uint64_t max_bytes);

  // Keeps the fingerprints for which keep(h) is true. Cost: O(slots).
  template <class Keep>
  void retain(Keep keep) noexcept;

  std::uint64_t size() const noexcept { return size_ + has_zero_; }
  std::uint64_t memory_bytes() const noexcept { return memory_.size(); }

  // Calls visit(Hash) for every fingerprint, ascending.
  template <class Visit>
  void for_each(Visit visit) const {
    if (has_zero_) visit(Hash{0, 0});
    for (std::uint64_t i = 0; i < slot_count_; ++i)
      if (!empty(slots()[i])) visit(slots()[i]);
  }

 private:
  // Shares of the homes in use: grow beyond the first; up to the second where memory is capped. At 3/4 an
  // insertion shifts about four slots, at 7/8 about sixteen.
  static constexpr std::uint64_t usual_limit(std::uint64_t homes) noexcept { return homes - homes / 4; }
  static constexpr std::uint64_t hard_limit(std::uint64_t homes) noexcept { return homes - homes / 8; }
  static constexpr std::uint64_t kOverflowSlots = 64;  // behind the last home, for runs that reach past it
  static constexpr std::uint64_t kLeastHomes = 16;

  static bool empty(Hash h) noexcept { return (h.lo | h.hi) == 0; }  // {0, 0} itself is kept apart
  std::uint64_t home(Hash h) const noexcept { return high64(h.lo, homes_); }
  Hash* slots() noexcept { return reinterpret_cast<Hash*>(memory_.data()); }
  const Hash* slots() const noexcept { return reinterpret_cast<const Hash*>(memory_.data()); }

  enum class Put { repeat, fresh, no_room };
  Put put(Hash h) noexcept;
  std::uint64_t find(Hash h) const noexcept;
  Result<void> resize(std::uint64_t homes, std::uint64_t limit);
  Result<void> grow();
  Result<void> lengthen(std::uint64_t slot_count);
  std::uint64_t end_of_spread(std::uint64_t homes) const noexcept;
  std::uint64_t gather_at_end() noexcept;
  void spread(std::uint64_t first) noexcept;

  Memory memory_;
  std::uint64_t homes_ = 0;
  std::uint64_t slot_count_ = 0;  // homes_ and the overflow behind them; the last is always empty
  std::uint64_t size_ = 0;        // without {0, 0}
  std::uint64_t limit_ = 0;       // grow when size_ reaches it
  bool has_zero_ = false;
};

template <class Keep>
void ExactTable::retain(Keep keep) noexcept {
  if (has_zero_ && !keep(Hash{0, 0})) has_zero_ = false;
  for (std::uint64_t i = 0; i < slot_count_; ++i) {
    Hash& slot = slots()[i];
    if (empty(slot) || keep(slot)) continue;
    slot = Hash{0, 0};
    --size_;
  }
  spread(gather_at_end());
}

}  // namespace bloomery
