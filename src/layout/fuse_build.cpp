// Building fuse filters: each key is an equation over its cells. Peel off keys that have a cell to themselves, one
// after the other, until none is left; in the reverse order each key then sets that cell as its equation demands.
//
// The words are visited in the order of their first segment, and peeling sweeps from the last segment to the first:
// all it touches at a time are a few neighbouring segments, which stay in the cache whatever the number of keys.
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "bloomery/layout/fuse.hpp"
#include "core/guard.hpp"
#include "core/memory.hpp"
#include "layout/distinct_words.hpp"

namespace bloomery {

namespace {

constexpr unsigned kAttemptsPerSize = 8, kSizes = 8;

// The sizes in the paper's own words: cells for each key, and cells in a segment, fitted to where peeling works.
double cells_per_key(unsigned probes, double keys) noexcept {
  if (keys <= 1) return 1;
  if (probes == 3) return std::max(1.125, 0.875 + 0.25 * std::log(1e6) / std::log(keys));
  return std::max(1.075, 0.77 + 0.305 * std::log(6e5) / std::log(keys));
}

std::uint64_t segment_length(unsigned probes, double keys) noexcept {
  const double exponent = probes == 3 ? std::log(keys) / std::log(3.33) + 2.25 : std::log(keys) / std::log(2.91) - 0.5;
  const double most = keys > 0x1p32 ? 21 : 18;  // beyond, two keys with the same cells would become likely
  return std::uint64_t{1} << static_cast<unsigned>(std::clamp(std::floor(exponent), 2.0, most));
}

std::uint64_t segments(const Shape& s) noexcept { return s.cells / s.param[0]; }

// The shape with `step` times a thirty-second more first segments: for sets of keys that refuse to peel.
Shape enlarged(Shape s, std::uint64_t step) noexcept {
  const std::uint64_t starts = segments(s) - (s.probes - 1u);
  s.cells += step * (1 + starts / 32) * s.param[0];
  return s;
}

// The system of equations, of a number of cells for each key that is known at compile time.
template <unsigned kProbes>
class Equations {
 public:
  Equations(const Shape& s, Memory& sums, Memory& counts) noexcept
      : shape_(s), sums_(reinterpret_cast<std::uint64_t*>(sums.data())),
        counts_(reinterpret_cast<std::uint8_t*>(counts.data())) {}

  // False if a cell has more keys than can be counted: hashes chosen by somebody.
  bool add(std::span<const std::uint64_t> words) noexcept {
    unsigned overflow = 0;
    for (const std::uint64_t word : words) {
      const Fuse::Cells cells = cells_of(word);
      for (unsigned i = 0; i < kProbes; ++i) {
        overflow |= counts_[cells[i]] >= 256 - kOne;
        counts_[cells[i]] = static_cast<std::uint8_t>((counts_[cells[i]] + kOne) ^ i);
        sums_[cells[i]] ^= word;
      }
    }
    return overflow == 0;
  }

  // Writes the words in the order in which they were peeled, and which of its cells each had to itself.
  // Returns how many could be peeled.
  std::uint64_t peel(std::uint64_t* order, std::uint8_t* own) {
    std::uint64_t peeled = 0;
    std::vector<std::uint64_t> lone(2 * kStride);  // cells that had one key when they came here, first come, first served
    for (std::uint64_t end = shape_.cells; end > 0;) {
      const std::uint64_t first = end - std::min(end, kStride);
      std::uint64_t tail = 0;
      for (std::uint64_t cell = first; cell < end; ++cell) {  // no branch: it would be guessed wrongly
        lone[tail] = cell;
        tail += counts_[cell] / kOne == 1;
      }
      end = first;
      for (std::uint64_t head = 0; head < tail; ++head) {
        const std::uint64_t cell = lone[head];
        if (counts_[cell] / kOne != 1) continue;
        const std::uint64_t word = sums_[cell];
        order[peeled] = word;
        own[peeled++] = counts_[cell] % kOne;
        if (tail + kProbes > lone.size()) lone.resize(2 * lone.size());
        tail = take_off(word, lone.data(), tail);
      }
    }
    return peeled;
  }

  void solve(Bytes bytes, const std::uint64_t* order, const std::uint8_t* own, std::uint64_t count) const noexcept {
    switch (shape_.cell_bits) {
      case 8: return solve_as<std::uint8_t>(bytes, order, own, count);
      case 16: return solve_as<std::uint16_t>(bytes, order, own, count);
      default: return solve_as<std::uint32_t>(bytes, order, own, count);
    }
  }

 private:
  // A count has the number of keys in its upper six bits; below, the exclusive or of which cell of theirs it is.
  static constexpr std::uint8_t kOne = 4;
  static constexpr std::uint64_t kStride = 4096;  // cells that are looked through at a time

  Fuse::Cells cells_of(std::uint64_t word) const noexcept {
    const std::uint64_t segment = shape_.param[0], b = mix(word);
    const std::uint64_t start = high64(word, shape_.cells - (kProbes - 1) * segment);
    Fuse::Cells cells{start};
    for (unsigned i = 1; i < kProbes; ++i) cells[i] = (start + i * segment) ^ ((b >> (21 * (i - 1))) & (segment - 1));
    return cells;
  }

  // Takes a key off all its cells; those with one key now join the queue, whose new tail this returns.
  std::uint64_t take_off(std::uint64_t word, std::uint64_t* lone, std::uint64_t tail) noexcept {
    const Fuse::Cells cells = cells_of(word);
    for (unsigned i = 0; i < kProbes; ++i) {
      const std::uint64_t cell = cells[i];
      counts_[cell] = static_cast<std::uint8_t>((counts_[cell] - kOne) ^ i);
      sums_[cell] ^= word;
      lone[tail] = cell;
      tail += counts_[cell] / kOne == 1;
    }
    return tail;
  }

  template <class Fingerprint>
  void solve_as(Bytes bytes, const std::uint64_t* order, const std::uint8_t* own, std::uint64_t count) const noexcept {
    for (std::uint64_t k = count; k-- > 0;) {
      const Fuse::Cells cells = cells_of(order[k]);
      auto value = static_cast<Fingerprint>(order[k]);
      for (unsigned i = 0; i < kProbes; ++i)  // its own cell is zero still
        value ^= load_le<Fingerprint>(bytes.data() + cells[i] * sizeof(Fingerprint));
      store_le(bytes.data() + cells[own[k]] * sizeof(Fingerprint), value);
    }
  }

  const Shape& shape_;
  std::uint64_t* sums_;
  std::uint8_t* counts_;
};

struct Scratch {
  Memory sums, counts, own;
};

// Nothing if these words do not peel with this shape.
template <unsigned kProbes>
bool try_to_solve(const Shape& s, Bytes bytes, std::span<std::uint64_t> words, Scratch& scratch) {
  std::fill_n(scratch.sums.data(), s.cells * sizeof(std::uint64_t), std::byte{0});
  std::fill_n(scratch.counts.data(), s.cells, std::byte{0});
  Equations<kProbes> equations(s, scratch.sums, scratch.counts);
  if (!equations.add(words)) return false;
  const std::uint64_t count = words.size();  // from here on the words are in the sums: their memory takes the order
  auto* own = reinterpret_cast<std::uint8_t*>(scratch.own.data());
  if (equations.peel(words.data(), own) != count) return false;
  equations.solve(bytes, words.data(), own, count);
  return true;
}

Result<void> make_room(Scratch& scratch, std::uint64_t cells, std::uint64_t keys) {
  if (scratch.counts.size() < cells) {
    auto sums = Memory::zeroed(cells * sizeof(std::uint64_t)), counts = Memory::zeroed(cells);
    if (!sums) return sums.error();
    if (!counts) return counts.error();
    scratch.sums = std::move(*sums);
    scratch.counts = std::move(*counts);
  }
  if (scratch.own.size() >= keys) return {};
  auto own = Memory::zeroed(keys);
  if (!own) return own.error();
  scratch.own = std::move(*own);
  return {};
}

Result<std::uint64_t> build_unguarded(Shape& s, Bytes bytes, std::span<const Hash> keys) {
  Scratch scratch;
  for (unsigned attempt = 0; attempt < kAttemptsPerSize * kSizes; ++attempt) {
    s.salt = mix((attempt + 1) * kGolden);
    auto distinct = DistinctWords::of(keys, [salted = s](Hash h) { return Fuse::word_of(salted, h); });
    if (!distinct) return distinct.error();
    const auto words = distinct->words();
    const std::uint64_t salt = s.salt;
    s = enlarged(Fuse::sized(s, words.size()), attempt / kAttemptsPerSize);
    s.salt = salt;
    if (auto room = make_room(scratch, s.cells, words.size()); !room) return room.error();
    const bool solved = s.probes == 3 ? try_to_solve<3>(s, bytes, words, scratch)
                                      : try_to_solve<4>(s, bytes, words, scratch);
    if (solved) return words.size();
  }
  return Error{Errc::full, "no fuse filter could be built of these " + std::to_string(keys.size()) +
                               " keys: their hashes are not random"};
}

}  // namespace

Shape Fuse::sized(const Shape& s, std::uint64_t keys) noexcept {
  Shape sized = s;
  sized.salt = sized.param[0] = sized.cells = 0;
  if (keys == 0) return sized;
  const double n = static_cast<double>(keys);
  const std::uint64_t segment = segment_length(s.probes, n);
  const double cells = std::ceil(n * cells_per_key(s.probes, n));
  const double count = std::max<double>(s.probes, std::ceil(cells / static_cast<double>(segment)));
  sized.param[0] = segment;
  sized.cells = static_cast<std::uint64_t>(count) * segment;
  return sized;
}

std::uint64_t Fuse::build_bytes(const Shape& s, std::uint64_t keys) noexcept {
  return keys == 0 ? 0 : size_bytes(enlarged(sized(s, keys), kSizes - 1));
}

Result<std::uint64_t> Fuse::build(Shape& s, Bytes bytes, std::span<const Hash> keys) {
  s = sized(s, keys.size());
  if (keys.empty()) return std::uint64_t{0};
  return guarded([&] { return build_unguarded(s, bytes, keys); });
}

}  // namespace bloomery
