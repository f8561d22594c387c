// Segments whose lines take turns, asked together, for the instruction set that is being compiled.
// Included inside the namespace of each instruction set, so without an include guard and without includes.

// Answers for the first lines of all ways: those of way w from passed + w * kGroup on.
HWY_INLINE void look_up_lines_of_ways(WaysJob job, const Hash* keys, std::size_t count, bool* passed) {
  Subsets subsets[WaysJob::kMost];
  for (unsigned w = 0; w < job.ways; ++w) subsets[w] = Subsets::of(job.probes[w]);
  const LookupJob first = job.way(0);
  const std::size_t done = look_up_ways_in_blocks(job, subsets, keys, count, passed, kGroup);
  keys += done;
  passed += done;
  pipeline(
      count - done, kPrefetchDistance, job.prefetch,
      [&](std::size_t i) {
        const std::byte* const line = line_at(first, keys[i].lo);
        for (unsigned w = 0; w < job.ways; ++w) prefetch(line + w * Blocked::kLineBytes);
      },
      [&](std::size_t i) {
        const std::byte* const line = line_at(first, keys[i].lo);
        for (unsigned w = 0; w < job.ways; ++w)
          passed[w * kGroup + i] = test_line(subsets[w], line + w * Blocked::kLineBytes, keys[i].lo);
      });
}

HWY_INLINE std::uint64_t nth_word(const Hash& key, unsigned n) {
  std::uint64_t w = key.lo, next = key.hi;
  for (unsigned t = 1; t < n; ++t) {
    const std::uint64_t after_next = Blocked::next_word(w, t + 1);
    w = next;
    next = after_next;
  }
  return next;
}

// As look_up_further_lines, for all ways together: `places` are w * kGroup + i for key i that passed in way w so far.
// Those that pass in all lines of a way are true in `out`.
HWY_INLINE void look_up_further_lines_of_ways(const WaysJob& job, const Hash* keys, std::uint16_t* places,
                                              std::size_t left, bool* out) {
  Subsets subsets[WaysJob::kMost];
  for (unsigned w = 0; w < job.ways; ++w) subsets[w] = Subsets::of(job.probes[w]);
  for (unsigned t = 1; left > 0; ++t) {
    const auto line = [&](std::size_t way, std::uint64_t word) { return line_at(job.way(static_cast<unsigned>(way)), word); };
    std::size_t still_left = 0;
    pipeline(
        left, kPrefetchDistance, job.prefetch,
        [&](std::size_t i) { prefetch(line(places[i] / kGroup, nth_word(keys[places[i] % kGroup], t))); },
        [&](std::size_t i) {
          const std::size_t way = places[i] / kGroup, key = places[i] % kGroup;
          const std::uint64_t word = nth_word(keys[key], t);
          const bool passed = test_line(subsets[way], line(way, word), word), more = t + 1 < job.lines_per_key[way];
          out[key] |= passed & !more;
          places[still_left] = places[i];
          still_left += passed & more;
        });
    left = still_left;
  }
}

std::uint64_t any_way_may_contain(const WaysJob& job, const Hash* keys, std::size_t count, bool* out) noexcept {
  bool passed[WaysJob::kMost * kGroup];
  std::uint16_t places[WaysJob::kMost * kGroup];
  for (std::size_t at = 0; at < count; at += kGroup) {
    const std::size_t some = HWY_MIN(kGroup, count - at);
    look_up_lines_of_ways(job, keys + at, some, passed);
    std::fill_n(out + at, some, false);
    std::size_t left = 0;
    for (unsigned w = 0; w < job.ways; ++w) {
      const bool* const answers = passed + w * kGroup;
      if (job.lines_per_key[w] > 1) {
        left += places_of_true(answers, some, places + left, w * kGroup);
      } else {
        for (std::size_t i = 0; i < some; ++i) out[at + i] |= answers[i];
      }
    }
    look_up_further_lines_of_ways(job, keys + at, places, left, out + at);
  }
  return count_true(out, count);
}
