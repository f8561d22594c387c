#include "kernels/kernels.hpp"

#include <algorithm>

#include "kernels/choice.hpp"
#include "kernels/classic_batch.hpp"
#include "kernels/counting_batch.hpp"
#include "kernels/distance.hpp"
#include "kernels/static_batch.hpp"
#include "kernels/windowed_batch.hpp"
#include "layout/layouts.hpp"

namespace bloomery::kernels {
namespace {

bool is_far(std::uint64_t size_bytes) noexcept { return size_bytes >= kPrefetchFromBytes; }

template <class Byte>
BlockedJob<Byte> job_of(const Shape& shape, std::span<Byte> bytes) noexcept {
  return {bytes.data(), shape.cells, shape.probes, shape.lines_per_key, is_far(bytes.size())};
}

std::uint64_t look_up_one_by_one(const Shape& shape, ConstBytes bytes, std::span<const Hash> keys, bool* out) {
  return with_layout<std::uint64_t>(shape.kind, [&]<class L>(L) {
    std::uint64_t maybes = 0;
    for (std::size_t i = 0; i < keys.size(); ++i) maybes += out[i] = L::may_contain(shape, bytes, keys[i]);
    return maybes;
  });
}

std::uint64_t insert_one_by_one(const Shape& shape, Bytes bytes, std::span<const Hash> keys, bool* fresh) {
  return with_layout<std::uint64_t>(shape.kind, [&]<class L>(L) {
    std::uint64_t count = 0;
    if constexpr (Insertable<L>) {
      for (std::size_t i = 0; i < keys.size(); ++i) {
        const bool changed = L::insert(shape, bytes, keys[i]);
        if (fresh != nullptr) fresh[i] = changed;
        count += changed;
      }
    }
    return count;
  });
}

// visit(hashes, offset) over runs of the words as hashes, for kinds that need both words of a Hash.
template <class Visit>
std::uint64_t sum_over_hashes(std::span<const std::uint64_t> words, Visit visit) {
  constexpr std::size_t kRun = 512;
  Hash run[kRun];
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < words.size(); i += kRun) {
    const std::size_t count = std::min(kRun, words.size() - i);
    std::transform(words.begin() + static_cast<std::ptrdiff_t>(i),
                   words.begin() + static_cast<std::ptrdiff_t>(i + count), run, Hash::from_u64);
    sum += visit(std::span<const Hash>(run, count), i);
  }
  return sum;
}

}  // namespace

std::uint64_t may_contain(const Shape& shape, ConstBytes bytes, std::span<const Hash> keys, bool* out) noexcept {
  switch (shape.kind) {
    case Kind::blocked:
      return active_kernel().may_contain(job_of(shape, bytes), keys.data(), keys.size(), out);
    case Kind::classic:
      return may_contain_classic(shape, bytes, keys, out);
    case Kind::counting:
      return may_contain_counting(shape, bytes, keys, out);
    case Kind::fuse:
      return may_contain_fuse(shape, bytes, keys, out);
    case Kind::windowed:
      return may_contain_windowed(shape, bytes, keys, out);
    case Kind::ribbon:
      return may_contain_ribbon(shape, bytes, keys, out);
    default:
      return look_up_one_by_one(shape, bytes, keys, out);
  }
}

std::uint64_t may_contain(const Shape& shape, ConstBytes bytes, std::span<const std::uint64_t> keys,
                          bool* out) noexcept {
  if (shape.kind == Kind::blocked)
    return active_kernel().may_contain_words(job_of(shape, bytes), keys.data(), keys.size(), out);
  return sum_over_hashes(keys, [&](std::span<const Hash> run, std::size_t offset) {
    return may_contain(shape, bytes, run, out + offset);
  });
}

std::uint64_t insert(const Shape& shape, Bytes bytes, std::span<const Hash> keys, bool* fresh) noexcept {
  switch (shape.kind) {
    case Kind::blocked:
      return active_kernel().insert(job_of(shape, bytes), keys.data(), keys.size(), fresh);
    case Kind::classic:
      return insert_classic(shape, bytes, keys, fresh);
    case Kind::counting:
      return insert_counting(shape, bytes, keys, fresh);
    case Kind::windowed:
      return insert_windowed(shape, bytes, keys, fresh);
    default:
      return insert_one_by_one(shape, bytes, keys, fresh);
  }
}

std::uint64_t insert(const Shape& shape, Bytes bytes, std::span<const std::uint64_t> keys, bool* fresh) noexcept {
  if (shape.kind == Kind::blocked)
    return active_kernel().insert_words(job_of(shape, bytes), keys.data(), keys.size(), fresh);
  return sum_over_hashes(keys, [&](std::span<const Hash> run, std::size_t offset) {
    return insert(shape, bytes, run, fresh == nullptr ? nullptr : fresh + offset);
  });
}

std::uint64_t insert(const Shape& shape, Blocked::WritableLines lines, std::span<const Hash> keys,
                     bool* fresh) noexcept {
  const InsertJob job{lines.first, shape.cells, shape.probes, shape.lines_per_key, is_far(shape.cells * lines.stride),
                      lines.stride};
  return active_kernel().insert(job, keys.data(), keys.size(), fresh);
}

void fetch(const Shape& shape, Blocked::Lines lines, std::span<const Hash> keys) noexcept {
  if (!is_far(shape.cells * lines.stride)) return;
  for (const Hash& key : keys) {
    const std::byte* line = lines.at(Blocked::line_of(key.lo, shape.cells));
    __builtin_prefetch(line, 0, 3);  // into L1, which has room for these
    asm volatile("" : : "r"(line));  // see prefetch()
  }
}

std::uint64_t any_way_may_contain(const Ways& ways, std::span<const Hash> keys, bool* out) noexcept {
  static_assert(Ways::kMost == WaysJob::kMost);
  const std::uint64_t lines = ways.shapes[0].cells, stride = ways.lines.stride;
  WaysJob job{ways.lines.first, lines, stride, is_far(lines * stride), static_cast<unsigned>(ways.count), {}, {}};
  for (std::size_t w = 0; w < ways.count; ++w) {
    job.probes[w] = ways.shapes[w].probes;
    job.lines_per_key[w] = ways.shapes[w].lines_per_key;
  }
  return active_kernel().any_way_may_contain(job, keys.data(), keys.size(), out);
}

Erasures erase(const Shape& shape, Bytes bytes, std::span<const Hash> keys, bool* erased) noexcept {
  return shape.kind == Kind::counting ? erase_counting(shape, bytes, keys, erased) : Erasures{};
}

}  // namespace bloomery::kernels
