// A filter of our own in pieces. The head: the expansion and the window's clock, then the header of the .blm form; the
// runs are its payload, so that all pieces but these words, one after the other, are a .blm file.
#include <algorithm>
#include <array>
#include <new>

#include "bloomery/file.hpp"
#include "bloomery/layout/windowed.hpp"
#include "redis/config.hpp"
#include "redis/native.hpp"
#include "redis/pieces.hpp"

namespace bloomery::redis {
namespace {

ConstBytes bytes_of(std::string_view text) noexcept {
  return {reinterpret_cast<const std::byte*>(text.data()), text.size()};
}

std::string_view text_of(ConstBytes bytes) noexcept {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

constexpr std::size_t kWordsBytes = sizeof(Native::Words);
constexpr std::array<char, 4096> kPadding = {};  // as much as a segment's alignment at most

// Is the filter one that create() makes?
bool sound(const Filter& filter, std::uint64_t expansion, const WindowClock& clock) noexcept {
  const Kind kind = filter.kind();
  if (kind != Kind::blocked && kind != Kind::counting && kind != Kind::windowed) return false;
  if (expansion > kMaxExpansion || (kind != Kind::blocked && expansion != 0)) return false;
  const bool told = kind == Kind::windowed && (filter.segments()[0].shape.rule & Windowed::kWhenTold) != 0;
  const bool timed = clock.length_ms != 0;
  if (!clock.sound() || (timed && kind != Kind::windowed) || (told && !timed)) return false;
  if (filter.growth() || !filter.can(Filter::Op::insert_string)) return false;
  const auto segments = filter.segments();
  return std::all_of(segments.begin(), segments.end(), [](const Segment& s) { return s.planned_keys != 0; });
}

}  // namespace

std::string Native::blm_header() const {
  const auto head = encode_head(filter_);
  if (!head) throw std::bad_alloc();  // all else was checked when it was made
  return std::string(text_of(*head));
}

Native::Words Native::words() const noexcept {
  return {expansion_, clock_.length_ms, clock_.began_ms, clock_.items, clock_.most_items};
}

std::string Native::header() const {
  std::array<std::byte, kWordsBytes> start;
  const Words all = words();
  for (std::size_t i = 0; i < all.size(); ++i) store_le(start.data() + i * sizeof all[0], all[i]);
  return std::string(text_of(start)).append(blm_header());
}

std::unique_ptr<Native> Native::from_header(std::string_view header) noexcept {
  if (header.size() < kWordsBytes) return nullptr;
  Words words;
  for (std::size_t i = 0; i < words.size(); ++i)
    words[i] = load_le<std::uint64_t>(bytes_of(header).data() + i * sizeof words[0]);
  return from_header(words, header.substr(kWordsBytes));
}

std::unique_ptr<Native> Native::from_header(const Words& words, std::string_view blm_header) noexcept {
  const WindowClock clock = {.length_ms = words[1], .began_ms = words[2], .items = words[3], .most_items = words[4]};
  auto filter = decode_head(bytes_of(blm_header));
  if (!filter || !sound(*filter, words[0], clock)) return nullptr;
  return wrap(std::move(filter), static_cast<std::uint32_t>(words[0]), clock);
}

// Which segment a byte of the payload belongs to, or is the padding behind.
std::optional<Place> Native::place_in_payload(std::uint64_t offset) const noexcept {
  const auto segments = filter_.segments();
  const std::uint64_t alignment = segment_alignment(filter_);
  return place_of(offset, segments.size(), [&](std::size_t i) {
    const std::uint64_t size = segments[i].bytes.size();
    return i + 1 == segments.size() ? size : (size + alignment - 1) / alignment * alignment;
  });
}

std::string_view Native::run(std::uint64_t offset, std::uint64_t max_bytes) const noexcept {
  const auto place = place_in_payload(offset);
  if (!place) return {};
  const std::string_view bytes = text_of(filter_.segments()[place->part].bytes);
  if (place->offset < bytes.size()) return bytes.substr(place->offset, max_bytes);
  const std::uint64_t rest = -place->offset % segment_alignment(filter_);
  return std::string_view(kPadding.data(), kPadding.size()).substr(0, std::min(rest, max_bytes));
}

Native::Stored Native::store(std::uint64_t offset, std::string_view bytes) noexcept {
  const auto place = place_in_payload(offset);
  if (!place) return Stored::no_such_place;
  if (place->offset >= filter_.segments()[place->part].bytes.size())
    return bytes == run(offset, bytes.size()) ? Stored::yes : Stored::too_long;
  return filter_.put(place->part, place->offset, bytes_of(bytes)) ? Stored::yes : Stored::too_long;
}

}  // namespace bloomery::redis
