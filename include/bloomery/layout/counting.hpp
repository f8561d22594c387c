// counting: a counter for every bit of a Bloom filter, so that keys can be taken out again.
// Fan, Cao, Almeida, Broder 2000.
//
// `cells` counters of `cell_bits` (2, 4, 8 or 16) bits. Counter i is bits i * cell_bits and up of the bytes read
// as one little-endian number: the low half of a byte comes first. A key is in as long as none of its counters is 0.
// Which counters a key has:
//   rule 1: counters for the bits of `classic`, rule 1, with m = cells.
//   rule 2: one cache line for an operation. The bytes are lines of 512 bits, and a key has the counters that
//     hold the bits which `blocked` with one line per key would set: probes of them, 1..8, in different words.
// Insertion adds one to each distinct counter of the key, erasure takes one off. A counter at its maximum has
// lost count: it stays there for ever, so that a key that is in is never forgotten.
#pragma once
#include <array>
#include <optional>

#include "bloomery/layout/blocked.hpp"
#include "bloomery/layout/classic.hpp"

namespace bloomery {

struct Counting {
  static constexpr Kind kind = Kind::counting;
  static constexpr std::string_view name = "counting";
  static constexpr std::uint8_t kSpreadRule = 1;
  static constexpr std::uint8_t kLineRule = 2;
  static constexpr unsigned kMaxProbes = 64;  // rule 2: Blocked::kMaxProbes
  static constexpr std::uint64_t kMaxCells = std::uint64_t{1} << 48;

  static Result<Shape> plan(const PlanRequest& want);
  static Result<void> check(const Shape& s);
  static std::uint64_t size_bytes(const Shape& s) noexcept { return (size_bits(s) + 7) / 8; }
  static std::uint64_t size_bits(const Shape& s) noexcept { return s.cells * s.cell_bits; }
  static double fpr(const Shape& s, std::uint64_t keys) noexcept;
  static double fill_ratio(const Shape& s, ConstBytes bytes) noexcept;  // share of the counters above 0
  static double current_fpr(const Shape& s, ConstBytes bytes) noexcept;

  static constexpr unsigned maximum(const Shape& s) noexcept { return (1u << s.cell_bits) - 1; }
  static std::uint64_t lines(const Shape& s) noexcept { return size_bits(s) / Blocked::kLineBits; }  // rule 2

  static bool may_contain(const Shape& s, ConstBytes bytes, Hash h) noexcept {
    return every_cell(s, h, [&](std::uint64_t cell) { return value_at(s, bytes, cell) != 0; });
  }

  // Was the key new, that is, did may_contain say no before?
  static bool insert(const Shape& s, Bytes bytes, Hash h) noexcept {
    bool contained = true;
    for (const std::uint64_t cell : Cells(s, h)) {
      const unsigned value = value_at(s, bytes, cell);
      contained = contained && value != 0;
      if (value != maximum(s)) put(s, bytes, cell, value + 1);
    }
    return !contained;
  }

  // False, and nothing has changed, when a counter is 0: the key is certainly not in.
  // REQUIRES, for no key that is in to be forgotten: the key is in. An absent key that may_contain accepts
  // takes one off counters that belong to others, and no counting filter can tell.
  static bool erase(const Shape& s, Bytes bytes, Hash h) noexcept {
    if (!may_contain(s, bytes, h)) return false;
    for (const std::uint64_t cell : Cells(s, h)) {
      const unsigned value = value_at(s, bytes, cell);
      if (value != maximum(s)) put(s, bytes, cell, value - 1);
    }
    return true;
  }

  // The least counter of the key: it was inserted at most so often (less erasures). None if that is saturated.
  static std::optional<std::uint64_t> count_at_most(const Shape& s, ConstBytes bytes, Hash h) noexcept {
    unsigned least = maximum(s);
    every_cell(s, h, [&](std::uint64_t cell) {
      const unsigned value = value_at(s, bytes, cell);
      least = value < least ? value : least;
      return true;
    });
    if (least == maximum(s)) return std::nullopt;
    return least;
  }

  // Counter by counter: the saturating sum, and the lesser of two, which never falls short of the keys in both.
  // REQUIRES: equal shapes.
  static void merge(const Shape& s, Bytes into, ConstBytes from) noexcept;
  static void intersect(const Shape& s, Bytes into, ConstBytes from) noexcept;

  static unsigned value_at(const Shape& s, ConstBytes bytes, std::uint64_t cell) noexcept {
    if (s.cell_bits == 16) return load_le<std::uint16_t>(bytes.data() + 2 * cell);
    const std::uint64_t bit = cell * s.cell_bits;
    return (std::to_integer<unsigned>(bytes[bit / 8]) >> (bit % 8)) & maximum(s);
  }

  // REQUIRES: value <= maximum(s).
  static void put(const Shape& s, Bytes bytes, std::uint64_t cell, unsigned value) noexcept {
    if (s.cell_bits == 16) return store_le(bytes.data() + 2 * cell, static_cast<std::uint16_t>(value));
    const std::uint64_t bit = cell * s.cell_bits;
    const unsigned others = std::to_integer<unsigned>(bytes[bit / 8]) & ~(maximum(s) << (bit % 8));
    bytes[bit / 8] = static_cast<std::byte>(others | value << (bit % 8));
  }

  // Calls visit(cell) for the counters of h, in order, until it returns false. Cells may come twice.
  template <class Visit>
  static bool every_cell(const Shape& s, Hash h, Visit visit) noexcept {
    if (s.rule == kSpreadRule) return Classic::every_probe(s, h, visit);
    const std::uint64_t line = Blocked::line_of(h.lo, lines(s));
    const std::uint64_t pattern = Blocked::pattern_of(h.lo);
    const unsigned subset = Blocked::subsets(s.probes)[h.lo & 63];
    for (unsigned j = 0; j < Blocked::kWords; ++j) {
      if (((subset >> j) & 1) == 0) continue;
      const std::uint64_t bit = line * Blocked::kLineBits + 64 * j + ((pattern >> (8 * j)) & 63);
      if (!visit(bit / s.cell_bits)) return false;
    }
    return true;
  }

  // The distinct counters of a key.
  class Cells {
   public:
    Cells(const Shape& s, Hash h) noexcept {
      const bool distinct = s.rule == kLineRule;
      every_cell(s, h, [&](std::uint64_t cell) {
        if (distinct || !has(cell)) cells_[count_++] = cell;
        return true;
      });
    }
    const std::uint64_t* begin() const noexcept { return cells_.data(); }
    const std::uint64_t* end() const noexcept { return cells_.data() + count_; }

   private:
    bool has(std::uint64_t cell) const noexcept {
      for (const std::uint64_t known : *this)
        if (known == cell) return true;
      return false;
    }
    std::array<std::uint64_t, kMaxProbes> cells_;
    unsigned count_ = 0;
  };
};

}  // namespace bloomery
