// Compiled without automatic vectorization (see CMakeLists.txt): an insert that stores eight words and
// is followed by one that loads them as vectors waits for the stores, and costs three times as much.
#include <algorithm>

#include "kernels/blocked_kernel.hpp"

namespace bloomery::kernels {
namespace {

template <class Byte>
Shape shape_of(const BlockedJob<Byte>& job) noexcept {
  return {.kind = Kind::blocked,
          .probes = static_cast<std::uint8_t>(job.probes),
          .lines_per_key = static_cast<std::uint8_t>(job.lines_per_key),
          .cells = job.lines};
}

// visit(hash) for each key in order, while the lines of keys further on are fetched by ask(word).
template <class Key, class Ask, class Visit>
std::uint64_t count_true(bool prefetching, const Key* keys, std::size_t count, bool* out, Ask ask, Visit visit) {
  const std::size_t ahead = prefetching ? std::min(count, kPrefetchDistance) : count;
  if (prefetching)
    for (std::size_t i = 0; i < ahead; ++i) ask(first_word(keys[i]));
  std::uint64_t trues = 0;
  for (std::size_t i = 0; i < count; ++i) {
    if (i + ahead < count) ask(first_word(keys[i + ahead]));
    const bool answer = visit(Hash{first_word(keys[i]), second_word(keys[i])});
    if (out != nullptr) out[i] = answer;
    trues += answer;
  }
  return trues;
}

template <class Key>
std::uint64_t may_contain(const LookupJob& job, const Key* keys, std::size_t count, bool* out) noexcept {
  const Shape shape = shape_of(job);
  const Blocked::Lines lines(job.bytes, job.stride);
  return count_true(
      job.prefetch, keys, count, out, [&](std::uint64_t w) { prefetch(line_at(job, w)); },
      [&](Hash h) { return Blocked::may_contain(shape, lines, h); });
}

std::uint64_t any_way_may_contain(const WaysJob& job, const Hash* keys, std::size_t count, bool* out) noexcept {
  std::array<Shape, WaysJob::kMost> shapes;
  for (unsigned w = 0; w < job.ways; ++w) shapes[w] = shape_of(job.way(w));
  const LookupJob first = job.way(0);
  return count_true(
      job.prefetch, keys, count, out,
      [&](std::uint64_t word) {
        const std::byte* const line = line_at(first, word);
        for (unsigned w = 0; w < job.ways; ++w) prefetch(line + w * Blocked::kLineBytes);
      },
      [&](Hash h) {
        for (unsigned w = 0; w < job.ways; ++w)
          if (Blocked::may_contain(shapes[w], Blocked::Lines(job.way(w).bytes, job.stride), h)) return true;
        return false;
      });
}

template <class Key>
std::uint64_t insert(const InsertJob& job, const Key* keys, std::size_t count, bool* fresh) noexcept {
  const Shape shape = shape_of(job);
  const Blocked::WritableLines lines(job.bytes, job.stride);
  return count_true(
      job.prefetch, keys, count, fresh, [&](std::uint64_t w) { prefetch(line_at(job, w)); },
      [&](Hash h) { return Blocked::insert(shape, lines, h); });
}

constexpr BlockedKernel kScalar{"scalar",     may_contain<Hash>,    may_contain<std::uint64_t>, any_way_may_contain,
                                insert<Hash>, insert<std::uint64_t>};

}  // namespace

const BlockedKernel& scalar_kernel() noexcept { return kScalar; }

}  // namespace bloomery::kernels
