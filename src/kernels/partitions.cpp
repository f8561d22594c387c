#include "kernels/partitions.hpp"

#include <algorithm>
#include <cstring>
#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace bloomery::kernels {
namespace {

// Copies past the cache: what is written is read again only after everything else has been.
void stream(std::uint64_t* to, const std::uint64_t* from, std::size_t words) noexcept {
#if defined(__SSE2__)
  for (std::size_t i = 0; i < words; i += 2)
    _mm_stream_si128(reinterpret_cast<__m128i*>(to + i), _mm_load_si128(reinterpret_cast<const __m128i*>(from + i)));
#else
  std::memcpy(to, from, words * sizeof *to);
#endif
}

template <class T>
std::unique_ptr<T[]> make_array(std::size_t count) noexcept {
  return std::unique_ptr<T[]>(new (std::nothrow) T[count]{});
}

}  // namespace

Partitions::Partitions(std::uint64_t lines, unsigned lines_log2, std::uint64_t scratch_bytes) noexcept
    : lines_(lines), lines_log2_(lines_log2), count_(((lines - 1) >> lines_log2) + 1) {
  blocks_ = static_cast<std::uint32_t>(std::min<std::uint64_t>(scratch_bytes / kBlockBytes, UINT32_MAX));
  auto pool = Memory::zeroed(blocks_ * kBlockBytes);
  if (!pool) return;
  pool_ = std::move(*pool);
  words_ = reinterpret_cast<std::uint64_t*>(pool_.data());
  taken_ = make_array<std::uint64_t>(count_);
  state_ = make_array<State>(count_);
  stages_ = make_array<Stage>(count_);
  next_ = make_array<std::uint32_t>(blocks_);
}

bool Partitions::spill(std::size_t partition) noexcept {
  State& state = state_[partition];
  const std::uint64_t at = state.spilled % kBlockWords;
  if (at == 0) {  // the first block, or the last is full
    full_ = used_ == blocks_;
    if (full_) return false;
    const std::uint32_t fresh = used_++;
    (state.spilled == 0 ? state.first : next_[state.last]) = fresh;
    state.last = fresh;
  }
  stream(block(state.last) + at, stages_[partition].words, kStageWords);
  state.spilled += kStageWords;
  return true;
}

void Partitions::order_streams() noexcept {
#if defined(__SSE2__)
  _mm_sfence();
#endif
}

void Partitions::clear() noexcept {
  std::fill_n(taken_.get(), count_, 0);
  std::fill_n(state_.get(), count_, State{});
  used_ = 0;
  full_ = false;
}

}  // namespace bloomery::kernels
