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

template <class Byte, class Key, class Visit>
std::uint64_t count_true(const BlockedJob<Byte>& job, const Key* keys, std::size_t count, bool* out, Visit visit) {
  const std::size_t ahead = job.prefetch ? std::min(count, kPrefetchDistance) : count;
  if (job.prefetch)
    for (std::size_t i = 0; i < ahead; ++i) prefetch(line_at(job, first_word(keys[i])));
  std::uint64_t trues = 0;
  for (std::size_t i = 0; i < count; ++i) {
    if (i + ahead < count) prefetch(line_at(job, first_word(keys[i + ahead])));
    const bool answer = visit(Hash{first_word(keys[i]), second_word(keys[i])});
    if (out != nullptr) out[i] = answer;
    trues += answer;
  }
  return trues;
}

template <class Key>
std::uint64_t may_contain(const LookupJob& job, const Key* keys, std::size_t count, bool* out) noexcept {
  const Shape shape = shape_of(job);
  const ConstBytes bytes(job.bytes, job.lines * Blocked::kLineBytes);
  return count_true(job, keys, count, out, [&](Hash h) { return Blocked::may_contain(shape, bytes, h); });
}

template <class Key>
std::uint64_t insert(const InsertJob& job, const Key* keys, std::size_t count, bool* fresh) noexcept {
  const Shape shape = shape_of(job);
  const Bytes bytes(job.bytes, job.lines * Blocked::kLineBytes);
  return count_true(job, keys, count, fresh, [&](Hash h) { return Blocked::insert(shape, bytes, h); });
}

constexpr BlockedKernel kScalar{"scalar", may_contain<Hash>, may_contain<std::uint64_t>, insert<Hash>,
                                insert<std::uint64_t>};

}  // namespace

const BlockedKernel& scalar_kernel() noexcept { return kScalar; }

}  // namespace bloomery::kernels
