// Testing and setting the bits of one key in one line, for the instruction set that is being compiled.
// Included inside the namespace of each instruction set, so without an include guard and without includes.

#if HWY_TARGET == HWY_SSSE3 || HWY_TARGET == HWY_SSE4 || HWY_TARGET == HWY_WASM
// No shift by a different count in each element here, but byte shuffles: the line is taken as bytes.
// In word j one byte takes a bit: byte (p >> 3) takes bit (p & 7), where p is byte j of the pattern.

using Table = SubsetTable<std::uint8_t>;
using PartTag = hn::Full128<std::uint8_t>;
using ByteVec = hn::Vec<PartTag>;
using WordTag = hn::Full128<std::uint64_t>;

struct Subsets {
  const Table* table;
  static Subsets of(unsigned probes) { return {&kSubsetMasks[probes]}; }
};

alignas(16) constexpr std::uint8_t kPowers[16] = {1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128};
alignas(16) constexpr std::uint8_t kPlaces[16] = {0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7};
// Two words at a time: the element for word j in all eight bytes of that word.
alignas(16) constexpr std::uint8_t kSpread[4][16] = {{0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1},
                                                    {2, 2, 2, 2, 2, 2, 2, 2, 3, 3, 3, 3, 3, 3, 3, 3},
                                                    {4, 4, 4, 4, 4, 4, 4, 4, 5, 5, 5, 5, 5, 5, 5, 5},
                                                    {6, 6, 6, 6, 6, 6, 6, 6, 7, 7, 7, 7, 7, 7, 7, 7}};

// Calls visit(offset, bits) for each vector of the line: which bits the key takes there.
template <class Visit>
HWY_INLINE void each_vector(const Subsets& subsets, std::uint64_t w, Visit visit) {
  const PartTag bytes;
  const WordTag words;
  const ByteVec pattern = hn::BitCast(bytes, hn::Set(words, Blocked::pattern_of(w)));
  const ByteVec place = hn::And(hn::BitCast(bytes, hn::ShiftRight<3>(hn::BitCast(words, pattern))), hn::Set(bytes, 7));
  std::uint64_t row;
  std::memcpy(&row, subsets.table->row[w & 63], sizeof row);
  const ByteVec bit = hn::And(hn::TableLookupBytes(hn::Load(bytes, kPowers), hn::And(pattern, hn::Set(bytes, 7))),
                              hn::BitCast(bytes, hn::Set(words, row)));
  const ByteVec places = hn::Load(bytes, kPlaces);
  for (std::size_t i = 0; i < 4; ++i) {
    const ByteVec spread = hn::Load(bytes, kSpread[i]);
    const auto here = hn::Eq(hn::TableLookupBytes(place, spread), places);
    visit(16 * i, bytes, hn::IfThenElseZero(here, hn::TableLookupBytes(bit, spread)));
  }
}

#else
// A shift by a different count in each element. The table's row is one where the word takes a bit.

using Table = SubsetTable<std::uint64_t>;
using PartTag = hn::CappedTag<std::uint64_t, Blocked::kWords>;

struct Subsets {
  const Table* table;
  static Subsets of(unsigned probes) { return {&kSubsetOnes[probes]}; }
};

alignas(64) constexpr std::uint64_t kByteShifts[Blocked::kWords] = {0, 8, 16, 24, 32, 40, 48, 56};

template <class Visit>
HWY_INLINE void each_vector(const Subsets& subsets, std::uint64_t w, Visit visit) {
  const PartTag words;
  const auto pattern = hn::Set(words, Blocked::pattern_of(w));
  const std::uint64_t* row = subsets.table->row[w & 63];
  for (std::size_t j = 0; j < Blocked::kWords; j += hn::MaxLanes(words)) {
    const auto place = hn::And(pattern >> hn::Load(words, kByteShifts + j), hn::Set(words, 63));
    visit(8 * j, words, hn::Load(words, row + j) << place);
  }
}

#endif

// Elements of the line at any alignment: files and other stores hand over bytes as they lie.
template <class Tag>
HWY_INLINE hn::Vec<Tag> load_part(Tag tag, const std::byte* p) {
  return hn::LoadU(tag, reinterpret_cast<const hn::TFromD<Tag>*>(p));
}

template <class Tag>
HWY_INLINE bool is_zero(Tag tag, hn::Vec<Tag> v) {
  return hn::AllTrue(tag, hn::Eq(v, hn::Zero(tag)));
}

// Are all bits of the key set in this line?
HWY_INLINE bool test_line(const Subsets& subsets, const std::byte* line, std::uint64_t w) {
  hn::Vec<PartTag> missing = hn::Zero(PartTag());
  each_vector(subsets, w, [&](std::size_t offset, PartTag tag, hn::Vec<PartTag> bits) {
    missing = hn::Or(missing, hn::AndNot(load_part(tag, line + offset), bits));
  });
  return is_zero(PartTag(), missing);
}

// Sets them; did one change?
HWY_INLINE bool set_line(const Subsets& subsets, std::byte* line, std::uint64_t w) {
  hn::Vec<PartTag> missing = hn::Zero(PartTag());
  each_vector(subsets, w, [&](std::size_t offset, PartTag tag, hn::Vec<PartTag> bits) {
    const hn::Vec<PartTag> old = load_part(tag, line + offset);
    missing = hn::Or(missing, hn::AndNot(old, bits));
    hn::StoreU(hn::Or(old, bits), tag, reinterpret_cast<hn::TFromD<PartTag>*>(line + offset));
  });
  return !is_zero(PartTag(), missing);
}

// Only AVX-512 prepares keys in blocks: for how many keys was it done?
template <class Key>
HWY_INLINE std::size_t look_up_in_blocks(const LookupJob&, const Subsets&, const Key*, std::size_t, bool*) {
  return 0;
}
HWY_INLINE std::size_t look_up_ways_in_blocks(const WaysJob&, const Subsets*, const Hash*, std::size_t, bool*,
                                              std::size_t) {
  return 0;
}
template <class Key>
HWY_INLINE std::size_t insert_in_blocks(const InsertJob&, const Subsets&, const Key*, std::size_t, bool*) {
  return 0;
}
