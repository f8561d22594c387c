// A layout says what the bytes of a segment mean: which bits a Hash touches. Layouts are
// stateless; a segment is a Shape plus a span of bytes that somebody else owns (heap or mmap).
// The scalar functions in bloomery/layout/*.hpp ARE the specification of the bits. Every batch
// kernel must produce and read the same bytes, on every machine, for ever.
#pragma once
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "bloomery/export.h"
#include "bloomery/hash.hpp"
#include "bloomery/result.hpp"

namespace bloomery {

// Values are stored in files: never renumbered, never reused.
enum class Kind : std::uint16_t { classic = 1, blocked = 2, exact = 3, counting = 4, fuse = 5, ribbon = 6, windowed = 7 };

BLOOMERY_API std::string_view name(Kind kind) noexcept;                      // "blocked"; "?" if unknown
BLOOMERY_API std::optional<Kind> kind_from_name(std::string_view) noexcept;  // the inverse

// Everything about a segment except its bytes. Stored in the file, never recomputed from
// (n, fpr) on load: log() differs between C libraries.
struct Shape {
  Kind kind = Kind::blocked;
  std::uint8_t rule = 0;           // which index rule of the kind
  std::uint8_t probes = 0;         // bits that a key sets (counting: cells): classic in all, blocked in each line
                                   // fuse: cells that it owns, 3 or 4; exact, ribbon 0
  std::uint8_t cell_bits = 1;      // bits in a cell: 1; exact 128; counting 2, 4, 8, 16; fuse 8, 16, 32; ribbon 1..32
  std::uint8_t lines_per_key = 1;  // blocked, windowed: 1..8; others 1
  std::uint64_t cells = 0;         // classic: bits; blocked: 512-bit lines; exact, fuse: fingerprints; counting: counters;
                                   // ribbon: slots; windowed: 512-bit lines of one generation
  std::uint64_t salt = 0;          // fuse, ribbon: mixed into every hash; others 0
  std::uint64_t param[2] = {0, 0}; // fuse: cells in a segment; ribbon: slots of two layers;
                                   // windowed: the window, and the generations that it takes; others 0
  bool operator==(const Shape&) const = default;
};

struct PlanRequest;  // bloomery/plan.hpp
struct Plan;

// What every kind offers. A new kind is one header with these functions and one line in
// src/layout/layouts.hpp.
template <class L>
concept Layout = requires(const Shape& s, ConstBytes ro, Hash h, std::uint64_t n, const PlanRequest& want) {
  { L::kind } -> std::convertible_to<Kind>;
  { L::name } -> std::convertible_to<std::string_view>;
  { L::plan(want) } -> std::same_as<Result<Shape>>;  // the smallest shape that keeps the promise
  { L::check(s) } -> std::same_as<Result<void>>;     // is every query with s in bounds?
  { L::size_bytes(s) } noexcept -> std::same_as<std::uint64_t>;  // REQUIRES: check(s)
  { L::size_bits(s) } noexcept -> std::same_as<std::uint64_t>;   // cells x cell size
  // REQUIRES of all below: check(s), and ro.size() == size_bytes(s).
  { L::may_contain(s, ro, h) } noexcept -> std::same_as<bool>;
  { L::fpr(s, n) } noexcept -> std::same_as<double>;             // expected rate with n keys in
  { L::fill_ratio(s, ro) } noexcept -> std::same_as<double>;     // share of the bits that is set
  { L::current_fpr(s, ro) } noexcept -> std::same_as<double>;    // rate of these very bits
};
template <class L>  // keys one by one; says whether a bit changed
concept Insertable = Layout<L> && requires(const Shape& s, Bytes rw, Hash h) {
  { L::insert(s, rw, h) } noexcept -> std::same_as<bool>;
};
template <class L>  // takes keys out again; says no, and changes nothing, when the key is certainly not in
concept Erasable = Insertable<L> && requires(const Shape& s, Bytes rw, Hash h) {
  { L::erase(s, rw, h) } noexcept -> std::same_as<bool>;
};
template <class L>  // all keys at once, repeats allowed; changes s, uses the first size_bytes(s) of rw, returns the distinct
concept Buildable = Layout<L> && requires(Shape& s, Bytes rw, std::span<const Hash> hs, std::uint64_t n) {
  { L::build_bytes(s, n) } noexcept -> std::same_as<std::uint64_t>;  // the room that n keys may take
  { L::build(s, rw, hs) } -> std::same_as<Result<std::uint64_t>>;
};

}  // namespace bloomery
