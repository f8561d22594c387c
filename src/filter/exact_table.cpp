#include "filter/exact_table.hpp"

#include <algorithm>
#include <limits>
#include <string>
#include <utility>

#include "bloomery/layout/exact.hpp"

namespace bloomery {

Result<ExactTable> ExactTable::create(std::uint64_t expected_keys) {
  ExactTable table;
  const std::uint64_t homes = std::max(kLeastHomes, expected_keys + expected_keys / 3 + 1);
  if (auto made = table.resize(homes, usual_limit(homes)); !made) return made.error();
  return table;
}

Result<ExactTable> ExactTable::clone() const {
  auto memory = Memory::zeroed(memory_.size());
  if (!memory) return memory.error();
  std::copy_n(memory_.data(), memory_.size(), memory->data());
  ExactTable copy;
  copy.memory_ = std::move(*memory);
  copy.homes_ = homes_;
  copy.slot_count_ = slot_count_;
  copy.size_ = size_;
  copy.limit_ = limit_;
  copy.has_zero_ = has_zero_;
  return copy;
}

// The slot that holds h, or the one where it belongs. The empty slot at the end stops every search.
inline std::uint64_t ExactTable::find(Hash h) const noexcept {
  const Hash* p = slots() + home(h);
  while (!empty(*p) && Exact::less(*p, h)) ++p;
  return static_cast<std::uint64_t>(p - slots());
}

bool ExactTable::contains(Hash h) const noexcept {
  if (empty(h)) return has_zero_;
  return slots()[find(h)] == h;
}

inline ExactTable::Put ExactTable::put(Hash h) noexcept {
  if (empty(h)) return std::exchange(has_zero_, true) ? Put::repeat : Put::fresh;
  Hash* const place = slots() + find(h);
  if (*place == h) return Put::repeat;
  Hash* free = place;
  while (!empty(*free)) ++free;
  if (size_ >= limit_ || free == slots() + slot_count_ - 1) return Put::no_room;
  for (; free != place; --free) *free = free[-1];
  *place = h;
  ++size_;
  return Put::fresh;
}

std::size_t ExactTable::insert_while_room(std::span<const Hash> keys, bool* fresh) noexcept {
  const std::size_t ahead = std::min(keys.size(), kPrefetchDistance);
  for (std::size_t i = 0; i < ahead; ++i) prefetch(keys[i]);
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (i + ahead < keys.size()) prefetch(keys[i + ahead]);
    const Put put_now = put(keys[i]);
    if (put_now == Put::no_room) return i;
    fresh[i] = put_now == Put::fresh;
  }
  return keys.size();
}

Result<bool> ExactTable::insert(Hash h) {
  Put result = put(h);
  while (result == Put::no_room) {
    if (auto grown = grow(); !grown) return grown.error();
    result = put(h);
  }
  return result == Put::fresh;
}

// By half when the homes are full enough, else behind the last home.
Result<void> ExactTable::grow() {
  if (size_ < limit_) return lengthen(slot_count_ + slot_count_ / 8 + kOverflowSlots);
  const std::uint64_t homes = homes_ + homes_ / 2;
  return resize(homes, usual_limit(homes));
}

Result<void> ExactTable::reserve(std::uint64_t more, std::uint64_t max_bytes) {
  const std::uint64_t needed = more > Exact::kMaxCells ? more : size_ + more;
  if (needed <= limit_) return {};
  const std::uint64_t max_slots = max_bytes / sizeof(Hash);
  const std::uint64_t max_homes = max_slots > kOverflowSlots ? max_slots - kOverflowSlots : 0;
  if (needed > Exact::kMaxCells || needed > hard_limit(max_homes) || memory_bytes() > max_bytes) {
    return Error{Errc::full, "an exact filter of " + std::to_string(needed) + " keys does not fit into " +
                                 std::to_string(max_bytes) + " bytes"};
  }
  const std::uint64_t wanted = std::max(homes_ + homes_ / 4, needed + needed / 3 + 1);
  if (wanted <= max_homes) return resize(wanted, usual_limit(wanted));
  return resize(max_homes, hard_limit(max_homes));
}

Result<void> ExactTable::lengthen(std::uint64_t slot_count) {
  if (auto grown = memory_.grow(slot_count * sizeof(Hash)); !grown) return grown.error();
  slot_count_ = slot_count;
  return {};
}

Result<void> ExactTable::resize(std::uint64_t homes, std::uint64_t limit) {
  const std::uint64_t slot_count = std::max(homes, end_of_spread(homes)) + kOverflowSlots;
  if (auto longer = lengthen(std::max(slot_count, slot_count_)); !longer) return longer.error();
  const std::uint64_t first = gather_at_end();
  homes_ = homes;
  limit_ = limit;
  spread(first);
  return {};
}

// One past the last slot that spread() would use with this many homes.
std::uint64_t ExactTable::end_of_spread(std::uint64_t homes) const noexcept {
  std::uint64_t next = 0;
  for (std::uint64_t i = 0; i < slot_count_; ++i)
    if (!empty(slots()[i])) next = std::max(next, high64(slots()[i].lo, homes)) + 1;
  return next;
}

// Moves all fingerprints, in order, to the last slots; returns the first of these.
std::uint64_t ExactTable::gather_at_end() noexcept {
  std::uint64_t to = slot_count_;
  for (std::uint64_t i = slot_count_; i-- > 0;)
    if (!empty(slots()[i])) slots()[--to] = std::exchange(slots()[i], Hash{0, 0});
  return to;
}

// Moves the fingerprints from slots first.. to their homes, or right behind the one before. A slot is never
// written before it has been read: there is room behind it for all that follow (end_of_spread).
void ExactTable::spread(std::uint64_t first) noexcept {
  std::uint64_t next = 0;
  for (std::uint64_t i = first; i < slot_count_; ++i) {
    const Hash h = std::exchange(slots()[i], Hash{0, 0});
    next = std::max(next, home(h));
    slots()[next++] = h;
  }
}

}  // namespace bloomery
