// windowed: "seen among the last N?" A blocked filter for each of G + 1 generations; every further N / G sightings a
// new generation begins in the place of the oldest, which is forgotten. So a key is found for at least the N sightings
// after its own, and for at most N + ceil(N / G). Rule bit 0 decides what a repeat does, bit 1 who begins generations.
//
// Bytes: `cells` places of G + 1 lines of 64 bytes, one for each slot, as in the layout blocked: a key has
// lines_per_key places and the same bits in each, in the line of the slot of its generation. Then 64 bytes of state:
// the number of the present generation, the sightings in it (u64 each), and zeros. Generation g has slot g % (G + 1).
#pragma once
#include "bloomery/layout/blocked.hpp"

namespace bloomery {

struct BLOOMERY_API Windowed {
  static constexpr Kind kind = Kind::windowed;
  static constexpr std::string_view name = "windowed";
  static constexpr std::uint8_t kFromFirst = 1;  // rule: a repeat does not make the key younger
  static constexpr std::uint8_t kWhenTold = 2;   // rule: only begin_generation() begins a generation
  static constexpr unsigned kGenerations = 4;    // G of every plan
  static constexpr unsigned kMaxGenerations = 15;
  static constexpr std::uint64_t kMaxWindow = std::uint64_t{1} << 40;
  static constexpr std::uint64_t kMaxCells = std::uint64_t{1} << 37;
  static constexpr std::uint64_t kStateBytes = 64;

  static Result<Shape> plan(const PlanRequest& want);
  static Result<void> check(const Shape& s);
  static std::uint64_t size_bytes(const Shape& s) noexcept { return lines_bytes(s) + kStateBytes; }
  static std::uint64_t size_bits(const Shape& s) noexcept { return 8 * size_bytes(s); }
  static double fpr(const Shape& s, std::uint64_t sightings) noexcept;  // of distinct keys
  static double fill_ratio(const Shape& s, ConstBytes bytes) noexcept;
  static double current_fpr(const Shape& s, ConstBytes bytes) noexcept;

  static std::uint64_t window(const Shape& s) noexcept { return s.param[0]; }
  static unsigned slots(const Shape& s) noexcept { return static_cast<unsigned>(s.param[1]) + 1; }
  static std::uint64_t lines_bytes(const Shape& s) noexcept { return s.cells * place_bytes(s); }
  static std::uint64_t place_bytes(const Shape& s) noexcept { return slots(s) * Blocked::kLineBytes; }

  // How many sightings a generation lasts: any G one after the other last N. May be 0 where N < G.
  static std::uint64_t length(const Shape& s, std::uint64_t generation) noexcept {
    const std::uint64_t g = s.param[1], i = generation % g;
    return ((i + 1) * window(s) + g - 1) / g - (i * window(s) + g - 1) / g;
  }

  // `turns`: as if so many generations had begun meanwhile: who goes by a clock may ask without changing anything.
  static bool may_contain(const Shape& s, ConstBytes bytes, Hash h, std::uint64_t turns = 0) noexcept {
    return slots_with(s, bytes, h, slots_after(s, bytes, turns)) != 0;
  }

  // A sighting. Begins a new generation where it is due. Says whether the key was not there.
  static bool insert(const Shape& s, Bytes bytes, Hash h) noexcept {
    std::byte* const state = bytes.data() + lines_bytes(s);
    std::uint64_t sightings = load_le<std::uint64_t>(state + 8);
    while ((s.rule & kWhenTold) == 0 && sightings >= length(s, load_le<std::uint64_t>(state))) {
      begin_generation(s, bytes);
      sightings = 0;
    }
    const bool known = slots_with(s, bytes, h, all_slots(s)) != 0;
    if (!known || (s.rule & kFromFirst) == 0) set(s, bytes, h, load_le<std::uint64_t>(state) % slots(s));
    store_le(state + 8, sightings + 1);
    return !known;
  }

  // Forgets the oldest generation. Cost: O(size).
  static void begin_generation(const Shape& s, Bytes bytes) noexcept;

 private:
  static unsigned all_slots(const Shape& s) noexcept { return (1U << slots(s)) - 1; }

  // Bit i: slot i would not have been emptied by so many further generations.
  static unsigned slots_after(const Shape& s, ConstBytes bytes, std::uint64_t turns) noexcept {
    if (turns >= slots(s)) return 0;
    unsigned alive = all_slots(s);
    for (std::uint64_t turn = 1; turn <= turns; ++turn)
      alive &= ~(1U << (load_le<std::uint64_t>(bytes.data() + lines_bytes(s)) + turn) % slots(s));
    return alive;
  }

  // Bit i: the line of slot i has the key's bits, in each of its places. Of the slots `alive`.
  static unsigned slots_with(const Shape& s, ConstBytes bytes, Hash h, unsigned alive) noexcept {
    Blocked::every_line(s, h, [&](std::uint64_t w) {
      const std::byte* place = bytes.data() + Blocked::line_of(w, s.cells) * place_bytes(s);
      const unsigned subset = Blocked::subsets(s.probes)[w & 63];
      for (unsigned i = 0; i < slots(s); ++i)
        if ((alive >> i & 1) != 0 &&
            Blocked::missing_bits(place + i * Blocked::kLineBytes, subset, Blocked::pattern_of(w)) != 0)
          alive &= ~(1U << i);
      return alive != 0;
    });
    return alive;
  }

  static void set(const Shape& s, Bytes bytes, Hash h, std::uint64_t slot) noexcept {
    Blocked::every_line(s, h, [&](std::uint64_t w) {
      std::byte* line = bytes.data() + Blocked::line_of(w, s.cells) * place_bytes(s) + slot * Blocked::kLineBytes;
      for (unsigned j = 0; j < Blocked::kWords; ++j)
        store_le(line + 8 * j, load_le<std::uint64_t>(line + 8 * j) |
                                   Blocked::bit_in_word(Blocked::subsets(s.probes)[w & 63], Blocked::pattern_of(w), j));
      return true;
    });
  }
};

}  // namespace bloomery
