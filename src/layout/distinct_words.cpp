#include "layout/distinct_words.hpp"

namespace bloomery {

std::uint64_t* DistinctWords::keep_distinct(std::uint64_t* first, std::uint64_t* last, std::uint64_t* out,
                                            std::vector<std::uint64_t>& table) {
  const auto size = static_cast<std::uint64_t>(last - first);
  if (size > kLargeBucket) {
    std::sort(first, last);
    return std::unique_copy(first, last, out);
  }
  const std::uint64_t slots = std::bit_ceil(2 * size + 1), mask = slots - 1;
  if (table.size() < slots) table.resize(slots);
  std::fill_n(table.begin(), slots, 0);  // 0: nothing here
  bool had_zero = false;
  for (; first != last; ++first) {
    const std::uint64_t word = *first;
    std::uint64_t slot = word & mask;  // the high bits are those of the bucket
    while (table[slot] != 0 && table[slot] != word) slot = (slot + 1) & mask;
    const bool is_new = word == 0 ? !std::exchange(had_zero, true) : table[slot] == 0;
    table[slot] = word;
    *out = word;
    out += is_new;
  }
  return out;
}

void DistinctWords::sort() {
  std::uint64_t first = 0;
  for (const std::uint64_t end : ends_) {
    std::sort(data() + first, data() + end);
    first = end;
  }
}

}  // namespace bloomery
