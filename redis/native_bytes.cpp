// A filter of our own in pieces. The head: the expansion, the window's clock, then the head of the .blm form.
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

constexpr std::size_t kWords = 5, kWordsBytes = kWords * sizeof(std::uint64_t);

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

std::string Native::header() const {
  const auto head = encode_head(filter_);
  if (!head) throw std::bad_alloc();  // all else was checked when it was made
  std::array<std::byte, kWordsBytes> words;
  std::byte* at = words.data();
  for (const std::uint64_t word :
       {std::uint64_t{expansion_}, clock_.length_ms, clock_.began_ms, clock_.items, clock_.most_items}) {
    store_le(at, word);
    at += sizeof word;
  }
  std::string out(text_of(words));
  return out.append(text_of(*head));
}

std::unique_ptr<Native> Native::from_header(std::string_view header) noexcept {
  if (header.size() < kWordsBytes) return nullptr;
  std::array<std::uint64_t, kWords> words;
  for (std::size_t i = 0; i < kWords; ++i)
    words[i] = load_le<std::uint64_t>(bytes_of(header).data() + i * sizeof words[0]);
  const WindowClock clock = {.length_ms = words[1], .began_ms = words[2], .items = words[3], .most_items = words[4]};
  auto filter = decode_head(bytes_of(header.substr(kWordsBytes)));
  if (!filter || !sound(*filter, words[0], clock)) return nullptr;
  return wrap(std::move(filter), static_cast<std::uint32_t>(words[0]), clock);
}

std::string_view Native::run(std::uint64_t offset, std::uint64_t max_bytes) const noexcept {
  const auto segments = filter_.segments();
  const auto place = place_of(offset, segments.size(), [&](std::size_t i) { return segments[i].bytes.size(); });
  return place ? text_of(segments[place->part].bytes).substr(place->offset, max_bytes) : std::string_view();
}

Native::Stored Native::store(std::uint64_t offset, std::string_view bytes) noexcept {
  const auto segments = filter_.segments();
  const auto place = place_of(offset, segments.size(), [&](std::size_t i) { return segments[i].bytes.size(); });
  if (!place) return Stored::no_such_place;
  return filter_.put(place->part, place->offset, bytes_of(bytes)) ? Stored::yes : Stored::too_long;
}

}  // namespace bloomery::redis
