// Words sorted by line range, in a bounded amount of memory: the first half of a bulk insertion.
#pragma once
#include <cstdint>
#include <memory>
#include <new>

#include "core/memory.hpp"
#include "kernels/blocked_kernel.hpp"

namespace bloomery::kernels {

// Each partition collects its words in a stage of 256 bytes, which stays in the cache, and spills full
// stages past the cache into blocks that it draws from a common pool: so it does not matter how evenly the
// words fall, and a pass ends when the pool is used up. The order within a partition is that of the keys.
class Partitions {
 public:
  static constexpr std::size_t kStageWords = 32;
  static constexpr std::size_t kBlockWords = 1024;
  static constexpr std::uint64_t kBlockBytes = kBlockWords * sizeof(std::uint64_t);

  // Partition p has the lines from p << lines_log2 on. REQUIRES: scratch_bytes >= one block for each.
  // When memory is refused, ok() is false and nothing else may be called.
  Partitions(std::uint64_t lines, unsigned lines_log2, std::uint64_t scratch_bytes) noexcept;
  bool ok() const noexcept { return pool_.data() != nullptr && taken_ && state_ && stages_ && next_; }

  std::size_t size() const noexcept { return count_; }
  bool is_full() const noexcept { return full_; }  // until the next clear()

  // Takes keys until the pool is empty; returns how many. REQUIRES: it is not full.
  template <class Key>
  std::size_t take(const Key* keys, std::size_t count) noexcept;

  // visit(words, count) for the runs of a partition, in order.
  template <class Visit>
  void each_run(std::size_t partition, Visit visit) const;

  void clear() noexcept;

 private:
  struct State {
    std::uint64_t spilled = 0;  // words
    std::uint32_t first = 0;    // block, if anything was spilled
    std::uint32_t last = 0;
  };
  struct alignas(64) Stage {
    std::uint64_t words[kStageWords];
  };

  std::uint64_t* block(std::uint32_t i) const noexcept { return words_ + std::uint64_t{i} * kBlockWords; }
  bool spill(std::size_t partition) noexcept;
  static void order_streams() noexcept;  // so that other threads see what was spilled

  std::uint64_t lines_;
  unsigned lines_log2_;
  std::size_t count_;
  std::uint32_t blocks_ = 0, used_ = 0;
  bool full_ = false;
  Memory pool_;
  std::uint64_t* words_ = nullptr;
  std::unique_ptr<std::uint64_t[]> taken_;  // words, of which the last, taken - spilled, are in the stage
  std::unique_ptr<State[]> state_;
  std::unique_ptr<Stage[]> stages_;
  std::unique_ptr<std::uint32_t[]> next_;  // block after block
};

template <class Key>
std::size_t Partitions::take(const Key* keys, std::size_t count) noexcept {
  // Local copies: the compiler cannot know that the words written below are none of these.
  const std::uint64_t lines = lines_;
  const unsigned lines_log2 = lines_log2_;
  std::uint64_t* const taken = taken_.get();
  Stage* const stages = stages_.get();
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint64_t w = first_word(keys[i]);
    const std::size_t p = Blocked::line_of(w, lines) >> lines_log2;
    const std::size_t at = taken[p]++ % kStageWords;
    stages[p].words[at] = w;
    if (at == kStageWords - 1 && !spill(p)) {
      count = i + 1;
      break;
    }
  }
  order_streams();
  return count;
}

template <class Visit>
void Partitions::each_run(std::size_t partition, Visit visit) const {
  const State& state = state_[partition];
  std::uint64_t left = state.spilled;
  for (std::uint32_t i = state.first; left > 0; i = next_[i]) {
    const std::uint64_t words = left < kBlockWords ? left : kBlockWords;
    left -= words;
    if (left > 0)  // the next block is elsewhere, where the processor does not expect it
      for (std::size_t j = 0; j < kBlockWords; j += 8) prefetch(reinterpret_cast<const std::byte*>(block(next_[i]) + j));
    visit(block(i), words);
  }
  visit(stages_[partition].words, taken_[partition] - state.spilled);
}

}  // namespace bloomery::kernels
