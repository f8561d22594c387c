// One layer of a ribbon filter while it is built: a linear system over 64-bit ribbons, in echelon form.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "bloomery/layout/ribbon.hpp"
#include "core/memory.hpp"

namespace bloomery {

class RibbonBand {
 public:
  // REQUIRES: slots is a multiple of 64 and not 0. Errors: no_memory.
  static Result<RibbonBand> of(std::uint64_t slots);

  // Keys of one layer, ascending by word (so by start): the most that the codes of their buckets let in. Codes are
  // written, and the words of bumped keys moved to the front; returns their number.
  std::uint64_t insert_bumping(std::span<std::uint64_t> words, std::byte* codes);

  // All of them; false if some equations contradict each other.
  bool insert_all(std::span<const std::uint64_t> words);

  // Solves for the slots and writes them, r bits each, in blocks. bytes: slots / 8 * r of them.
  void solve(unsigned cell_bits, std::byte* bytes) const noexcept;

 private:
  bool insert(std::uint64_t word);
  bool insert_group(std::span<const std::uint64_t> words);

  std::uint64_t* coefficients() noexcept { return reinterpret_cast<std::uint64_t*>(coefficients_.data()); }
  const std::uint64_t* coefficients() const noexcept {
    return reinterpret_cast<const std::uint64_t*>(coefficients_.data());
  }
  std::uint32_t* values() noexcept { return reinterpret_cast<std::uint32_t*>(values_.data()); }
  const std::uint32_t* values() const noexcept { return reinterpret_cast<const std::uint32_t*>(values_.data()); }

  std::uint64_t slots_ = 0;
  Memory coefficients_, values_;
  std::vector<std::uint64_t> taken_;  // slots that the group being inserted has filled
};

}  // namespace bloomery
