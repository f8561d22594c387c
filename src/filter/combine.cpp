// Union and intersection.
#include <algorithm>
#include <cmath>
#include <functional>
#include <string>

#include "bloomery/filter.hpp"
#include "filter/access.hpp"
#include "filter/rep.hpp"
#include "layout/layouts.hpp"

namespace bloomery {
namespace {

std::string counted(std::string_view what, std::uint64_t a, std::uint64_t b) {
  return std::string(what) + " differ: " + std::to_string(a) + " and " + std::to_string(b);
}

const char* unit_of(Kind kind) noexcept {
  return kind == Kind::blocked ? "lines" : kind == Kind::counting ? "counters" : "bits";
}

// Which field keeps two shapes from being combined; empty if none does.
std::string difference(const Shape& a, const Shape& b) {
  if (a.kind != b.kind) return "kinds differ: " + std::string(name(a.kind)) + " and " + std::string(name(b.kind));
  if (a.kind == Kind::exact || a == b) return {};
  if (a.cell_bits != b.cell_bits) return counted("bits in a counter", a.cell_bits, b.cell_bits);
  if (a.cells != b.cells) return counted(unit_of(a.kind), a.cells, b.cells);
  if (a.probes != b.probes) return counted("hashes", a.probes, b.probes);
  if (a.lines_per_key != b.lines_per_key) return counted("lines per key", a.lines_per_key, b.lines_per_key);
  return counted("index rules", a.rule, b.rule);
}

}  // namespace

Result<void> Filter::Rep::check_changeable(const Filter& other) const {
  if (read_only()) return Error{Errc::not_supported, "this filter is read-only: clone() it to change it"};
  if (is_static(segments[0].shape.kind)) return static_error(segments[0].shape.kind);
  if (growth || other.growth()) return Error{Errc::not_supported, "filters that grow cannot be combined"};
  if (segments[0].shape.kind == Kind::windowed)
    return Error{Errc::not_supported, "windowed filters cannot be combined: what they hold depends on the order"};
  return {};
}

Result<void> Filter::Rep::check_comparable(const Filter& other) const {
  if (segments.size() != 1 || other.segments().size() != 1)
    return Error{Errc::not_supported, "filters that grew have several segments and cannot be combined"};
  return check_alike(other);
}

Result<void> Filter::Rep::check_alike(const Filter& other) const {
  if (hasher.id != other.hasher().id) {
    return Error{Errc::incompatible, "hashes differ: " + std::string(name(hasher.id)) + " and " +
                                         std::string(name(other.hasher().id))};
  }
  if (stored_key != other.rep_->stored_key)
    return Error{Errc::incompatible, hasher.secret() ? "secret keys differ" : "hash seeds differ"};
  const auto theirs = other.segments();
  if (segments.size() != theirs.size())
    return Error{Errc::incompatible, counted("numbers of segments", segments.size(), theirs.size())};
  for (std::size_t i = 0; i < segments.size(); ++i)
    if (const std::string field = difference(segments[i].shape, theirs[i].shape); !field.empty())
      return Error{Errc::incompatible, segments.size() == 1 ? field : "segment " + std::to_string(i) + ": " + field};
  return {};
}

Result<void> FilterAccess::check_comparable(const Filter& a, const Filter& b) { return a.rep_->check_comparable(b); }

// counts after a bitwise union or intersection: only the bits know how many keys there are.
void Filter::Rep::count_from_bits(std::uint64_t offered) noexcept {
  counts.inserted = 0;
  for (Segment& s : segments) {
    const double fill = with_layout<double>(s.shape.kind, [&]<class L>(L) { return L::fill_ratio(s.shape, s.bytes); });
    const double most = static_cast<double>(s.shape.cells);
    s.keys_inserted = static_cast<std::uint64_t>(std::llround(bloomery::estimated_keys(s.shape, fill).value_or(most)));
    counts.inserted += s.keys_inserted;
  }
  counts.offered = std::max(offered, counts.inserted);
  counts.estimated = true;
}

Result<void> Filter::merge(const Filter& other) {
  if (auto checked = rep_->check_changeable(other); !checked) return checked;
  if (auto checked = rep_->check_alike(other); !checked) return checked;
  const std::uint64_t offered = rep_->counts.offered + other.counts().offered;
  if (rep_->table) {
    if (auto room = rep_->table->reserve(other.segments()[0].shape.cells, ~std::uint64_t{0}); !room) return room;
    const auto insert_run = [](void* self, std::span<const Hash> run) {
      static_cast<void>(static_cast<Rep*>(self)->insert_exact(run, nullptr));  // there is room
    };
    if (auto visited = other.visit_fingerprints(insert_run, rep_.get()); !visited) return visited;
    rep_->counts.offered = offered;
    return {};
  }
  for (std::size_t i = 0; i < rep_->segments.size(); ++i) {
    const Segment& from = other.segments()[i];
    const Bytes into = rep_->writable(i);
    if (kind() == Kind::counting) Counting::merge(from.shape, into, from.bytes);
    else std::transform(into.begin(), into.end(), from.bytes.begin(), into.begin(), std::bit_or<>());
  }
  rep_->count_from_bits(offered);
  return {};
}

Result<void> Filter::intersect(const Filter& other) {
  if (auto checked = rep_->check_changeable(other); !checked) return checked;
  if (auto checked = rep_->check_comparable(other); !checked) return checked;
  if (rep_->table) {
    rep_->table->retain([&](Hash h) { return other.may_contain(h); });
    rep_->segments[0].shape.cells = rep_->segments[0].keys_inserted = rep_->counts.inserted = rep_->table->size();
    rep_->counts.offered = rep_->counts.inserted;
    return {};
  }
  const Segment& from = other.segments()[0];
  const Bytes into = rep_->writable(0);
  if (kind() == Kind::counting) Counting::intersect(from.shape, into, from.bytes);
  else std::transform(into.begin(), into.end(), from.bytes.begin(), into.begin(), std::bit_and<>());
  rep_->count_from_bits(0);
  return {};
}

}  // namespace bloomery
