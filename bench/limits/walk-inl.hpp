// The loops of a Walker, over a Line of some instruction set. Include it in one file for each.
// A Line has: load(p), store(p), stream(p), join(Line) (xor), set(word) (or into all words), fold() -> word.
#pragma once
#include "limits/walk.hpp"

namespace bench {

template <class Line>
struct Walks {
  static std::byte* line_of(const Walk& walk, std::uint64_t key) noexcept {
    __extension__ typedef unsigned __int128 Wide;
    return walk.buffer + static_cast<std::uint64_t>((static_cast<Wide>(key) * walk.lines) >> 64) * 64;
  }

  template <Hint hint>
  static void prefetch(const std::byte* line) noexcept {
    if constexpr (hint == Hint::nta) __builtin_prefetch(line, 0, 0);
    if constexpr (hint == Hint::t1) __builtin_prefetch(line, 0, 2);
    if constexpr (hint == Hint::t0) __builtin_prefetch(line, 0, 3);
    if constexpr (hint == Hint::write) __builtin_prefetch(line, 1, 3);
  }

  template <Hint hint, class Visit>
  static void visit_all(const Walk& walk, const std::uint64_t* keys, std::size_t count, Visit visit) {
    std::size_t i = 0;
    if constexpr (hint != Hint::none) {
      for (; i + walk.distance < count; ++i) {
        prefetch<hint>(line_of(walk, keys[i + walk.distance]));
        visit(line_of(walk, keys[i]), keys[i]);
      }
    }
    for (; i < count; ++i) visit(line_of(walk, keys[i]), keys[i]);
  }

  template <class Visit>
  static void with_hint(const Walk& walk, Hint hint, const std::uint64_t* keys, std::size_t count, Visit visit) {
    switch (hint) {
      case Hint::none:
        return visit_all<Hint::none>(walk, keys, count, visit);
      case Hint::nta:
        return visit_all<Hint::nta>(walk, keys, count, visit);
      case Hint::t1:
        return visit_all<Hint::t1>(walk, keys, count, visit);
      case Hint::t0:
        return visit_all<Hint::t0>(walk, keys, count, visit);
      case Hint::write:
        return visit_all<Hint::write>(walk, keys, count, visit);
    }
  }

  static std::uint64_t read(const Walk& walk, Hint hint, const std::uint64_t* keys, std::size_t count) {
    Line sum = {};
    with_hint(walk, hint, keys, count, [&](const std::byte* line, std::uint64_t) { sum.join(Line::load(line)); });
    return sum.fold();
  }

  static std::uint64_t modify(const Walk& walk, Hint hint, const std::uint64_t* keys, std::size_t count) {
    with_hint(walk, hint, keys, count, [](std::byte* p, std::uint64_t key) {
      Line line = Line::load(p);
      line.set(key);
      line.store(p);
    });
    return 0;
  }

  static std::uint64_t read_in_order(const Walk& walk) {
    Line sums[4] = {};
    for (std::uint64_t i = 0; i + 4 <= walk.lines; i += 4)
      for (std::uint64_t j = 0; j < 4; ++j) sums[j].join(Line::load(walk.buffer + (i + j) * 64));
    for (int j = 1; j < 4; ++j) sums[0].join(sums[j]);
    return sums[0].fold();
  }

  static void write_in_order(const Walk& walk) {
    Line line = {};
    line.set(walk.lines);
    for (std::uint64_t i = 0; i < walk.lines; ++i) line.store(walk.buffer + i * 64);
  }

  static void stream_in_order(const Walk& walk) {
    Line line = {};
    line.set(walk.lines);
    for (std::uint64_t i = 0; i < walk.lines; ++i) line.stream(walk.buffer + i * 64);
  }

  static constexpr Walker walker(const char* name) {
    return {name, read, modify, read_in_order, write_in_order, stream_in_order};
  }
};

}  // namespace bench
