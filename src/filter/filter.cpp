// Making filters, copying them, and what they say about themselves.
#include "bloomery/filter.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <utility>

#include "core/guard.hpp"
#include "filter/access.hpp"
#include "filter/rep.hpp"
#include "layout/layouts.hpp"

namespace bloomery {
namespace {

constexpr std::size_t kMaxSegments = 4096;

Error invalid(std::string message) { return {Errc::invalid_argument, std::move(message)}; }

// Everything about a shape that must hold before a byte is read through it.
Result<void> check_shape(const Shape& shape, const Hasher& hasher) {
  Result<void> checked;
  const bool known = visit_layout(shape.kind, [&]<class L>(L) { checked = L::check(shape); });
  if (!known)
    return Error{Errc::too_new, "kind " + std::to_string(static_cast<int>(shape.kind)) + " is unknown to this version"};
  if (!checked) return checked;
  if (shape.kind == Kind::classic && (shape.rule == Classic::kArticleRule) != (hasher.id == HashId::murmur3))
    return invalid("classic filters use index rule 0 with murmur3 and rule 1 with every other hash");
  return {};
}

std::uint64_t shape_bytes(const Shape& shape) {
  return with_layout<std::uint64_t>(shape.kind, [&]<class L>(L) { return L::size_bytes(shape); });
}

Result<void> check_segment(const Segment& segment, const Hasher& hasher) {
  if (auto checked = check_shape(segment.shape, hasher); !checked) return checked;
  const std::uint64_t expected = shape_bytes(segment.shape);
  if (segment.bytes.size() != expected) {
    return Error{Errc::corrupt, "a segment of " + std::to_string(segment.bytes.size()) + " bytes should have " +
                                    std::to_string(expected)};
  }
  if (!(segment.planned_fpr >= 0 && segment.planned_fpr <= 1))
    return Error{Errc::corrupt, "the planned false-positive rate of a segment is not between 0 and 1"};
  return {};
}

// Why filters of this kind have one segment; null if they may have several.
const char* reason_for_one_segment(Kind kind) noexcept {
  switch (kind) {
    case Kind::exact: return "an exact filter grows by itself: it has one segment";
    case Kind::windowed: return "a windowed filter has one segment, of all its generations";
    case Kind::fuse:
    case Kind::ribbon: return "a static filter has one segment";
    case Kind::counting: return "a counting filter has one segment, or an erasure could not tell which has the key";
    default: return nullptr;
  }
}

double share_of_ones(const Filter::Rep& rep, std::size_t i) {
  const Segment& s = rep.segments[i];
  if (s.shape.kind == Kind::blocked) return Blocked::fill_ratio(s.shape, rep.lines(i));
  return with_layout<double>(s.shape.kind, [&]<class L>(L) { return L::fill_ratio(s.shape, s.bytes); });
}

double current_rate(const Filter::Rep& rep, std::size_t i) {
  const Segment& s = rep.segments[i];
  if (s.shape.kind == Kind::blocked) return Blocked::current_fpr(s.shape, rep.lines(i));
  return with_layout<double>(s.shape.kind, [&]<class L>(L) {
    return L::kind == Kind::exact ? L::fpr(s.shape, s.shape.cells) : L::current_fpr(s.shape, s.bytes);
  });
}

double compound(double rate_so_far, double rate) noexcept { return rate_so_far + (1 - rate_so_far) * rate; }

}  // namespace

PlanRequest request_of(const Spec& spec) {
  PlanRequest want;
  want.kind = spec.kind;
  if (spec.expected_keys != 0 || spec.kind != Kind::exact) want.keys = spec.expected_keys;
  if (spec.kind != Kind::exact) want.fpr = spec.fpr;
  want.article = spec.kind == Kind::classic && spec.hasher.id == HashId::murmur3;
  return want;
}

Filter::Filter(std::unique_ptr<Rep> rep) noexcept : rep_(std::move(rep)) {}
Filter::Filter(Filter&&) noexcept = default;
Filter& Filter::operator=(Filter&&) noexcept = default;
Filter::~Filter() = default;

Result<Filter> Filter::create(const Spec& spec) {
  const auto planned = plan(request_of(spec));
  if (!planned) return planned.error();
  return create(*planned, spec.hasher);
}

Result<Filter> Filter::create(const Plan& plan, const Hasher& hasher) {
  return guarded([&]() -> Result<Filter> { return create_unguarded(plan, hasher); });
}

Result<Filter> Filter::create_unguarded(const Plan& plan, const Hasher& hasher) {
  if (auto checked = hasher.check(); !checked) return checked.error();
  if (Rep::is_static(plan.shape.kind)) return Rep::static_error(plan.shape.kind);
  auto rep = std::make_unique<Rep>();
  rep->hasher = hasher;
  rep->stored_key = hasher.stored_key();
  if (plan.shape.kind == Kind::exact) {
    if (auto checked = check_shape(plan.shape, hasher); !checked) return checked.error();
    auto table = ExactTable::create(plan.shape.cells);
    if (!table) return table.error();
    rep->table = std::move(*table);
    Segment segment{.shape = plan.shape, .planned_keys = plan.keys, .planned_fpr = plan.fpr, .bytes = {}};
    segment.shape.cells = 0;
    rep->segments.push_back(segment);
    return Filter(std::move(rep));
  }
  Filter filter(std::move(rep));
  if (auto added = filter.append_segment(plan); !added) return added.error();
  return filter;
}

Result<void> Filter::append_segment(const Plan& plan) {
  const bool first = rep_->segments.empty();
  if (!first && rep_->read_only()) return Error{Errc::not_supported, "this filter is read-only: clone() it to change it"};
  if (const char* reason = reason_for_one_segment(plan.shape.kind); reason != nullptr && (!first || rep_->table))
    return Error{Errc::not_supported, reason};
  if (rep_->growth) return Error{Errc::not_supported, "this filter grows by itself"};
  if (!first && plan.shape.kind != kind()) return invalid("a further segment must be of the same kind");
  return rep_->append(plan);
}

Result<void> Filter::Rep::append(const Plan& plan) {
  if (segments.size() == kMaxSegments) return Error{Errc::full, "a filter has at most 4096 segments"};
  if (auto checked = check_shape(plan.shape, hasher); !checked) return checked;
  const double promised = plan.asked_fpr > 0 ? plan.asked_fpr : plan.fpr;
  const Segment segment{.shape = plan.shape, .planned_keys = plan.keys, .planned_fpr = promised, .bytes = {}};
  return guarded([&]() -> Result<void> {
    if (joins_last_group(plan.shape)) return add_way(segment);
    auto memory = Memory::zeroed(shape_bytes(plan.shape));
    if (!memory) return memory.error();
    add(segment, std::move(*memory));
    return {};
  });
}

Result<Filter> Filter::from_parts(Parts parts) {
  return guarded([&]() -> Result<Filter> { return from_parts_unguarded(std::move(parts)); });
}

Result<Filter> Filter::from_parts_unguarded(Parts parts) {
  auto rep = Rep::of_parts(std::move(parts), true);
  if (!rep) return rep.error();
  return Filter(std::move(*rep));
}

Result<std::unique_ptr<Filter::Rep>> Filter::Rep::of_parts(Parts parts, bool borrowed) {
  if (auto checked = parts.hasher.check(); !checked) return checked.error();
  if (parts.segments.empty() || parts.segments.size() > kMaxSegments)
    return Error{Errc::corrupt, "a filter has 1 to 4096 segments, not " + std::to_string(parts.segments.size())};
  for (const Segment& segment : parts.segments) {
    auto checked = borrowed ? check_segment(segment, parts.hasher) : check_shape(segment.shape, parts.hasher);
    if (!checked) return checked.error();
    if (segment.shape.kind != parts.segments[0].shape.kind)
      return Error{Errc::corrupt, "the segments of a filter must be of one kind"};
  }
  if (const char* reason = reason_for_one_segment(parts.segments[0].shape.kind); reason != nullptr && parts.segments.size() > 1)
    return Error{Errc::corrupt, reason};
  if (auto checked = check_growth(parts); !checked) return checked.error();
  auto rep = std::make_unique<Rep>();
  rep->hasher = parts.hasher;
  rep->stored_key = parts.key_missing ? parts.hasher.key : parts.hasher.stored_key();
  rep->key_missing = parts.key_missing;
  rep->counts = parts.counts;
  rep->optional_features = parts.optional_features;
  rep->growth = parts.growth;
  rep->segments = std::move(parts.segments);
  rep->owner = std::move(parts.owner);
  for (std::size_t i = 0; borrowed && i < rep->segments.size(); ++i) rep->groups.push_back({.first = i});
  return rep;
}

Result<Filter> Filter::clone() const {
  return guarded([&]() -> Result<Filter> { return clone_unguarded(); });
}

Result<Filter> Filter::clone_unguarded() const {
  auto copy = std::make_unique<Rep>();
  copy->hasher = rep_->hasher;
  copy->stored_key = rep_->stored_key;
  copy->key_missing = rep_->key_missing;
  copy->counts = rep_->counts;
  copy->optional_features = rep_->optional_features;
  copy->growth = rep_->growth;
  copy->segments = rep_->segments;
  if (rep_->table) {
    auto table = rep_->table->clone();
    if (!table) return table.error();
    copy->table = std::move(*table);
    return Filter(std::move(copy));
  }
  if (kind() == Kind::exact) {
    Segment& segment = copy->segments[0];
    auto table = ExactTable::create(segment.shape.cells);
    if (!table) return table.error();
    for (std::uint64_t i = 0; i < segment.shape.cells; ++i)
      if (auto inserted = table->insert(Exact::at(segment.bytes, i)); !inserted) return inserted.error();
    segment.bytes = {};
    segment.shape.cells = table->size();
    copy->table = std::move(*table);
    return Filter(std::move(copy));
  }
  auto filled = copy->fill([&](std::size_t i, std::uint64_t offset, Bytes out) -> Result<void> {
    const ConstBytes bytes = rep_->segments[i].bytes;
    if (bytes.empty()) rep_->gather(i, offset, out);
    else std::copy_n(bytes.data() + offset, out.size(), out.data());
    return {};
  });
  if (!filled) return filled.error();
  return Filter(std::move(copy));
}

std::span<const Segment> Filter::segments() const noexcept { return rep_->segments; }
Kind Filter::kind() const noexcept { return rep_->segments[0].shape.kind; }
const Hasher& Filter::hasher() const noexcept { return rep_->hasher; }
bool Filter::key_missing() const noexcept { return rep_->key_missing; }
bool Filter::read_only() const noexcept { return rep_->read_only(); }
Counts Filter::counts() const noexcept { return rep_->counts; }
void Filter::set_counts(const Counts& counts) noexcept { rep_->counts = counts; }
std::uint32_t Filter::optional_features() const noexcept { return rep_->optional_features; }

std::uint64_t Filter::size_bytes() const noexcept {
  std::uint64_t sum = 0;
  for (const Segment& s : rep_->segments) sum += shape_bytes(s.shape);
  return sum;
}

std::uint64_t Filter::memory_bytes() const noexcept {
  std::uint64_t sum = rep_->table ? rep_->table->memory_bytes() : 0;
  for (const Memory& m : rep_->memories) sum += m.held_bytes();
  return sum;
}

std::uint64_t Filter::huge_page_bytes() const noexcept {
  std::uint64_t sum = 0;
  for (const Memory& m : rep_->memories) sum += bytes_on_huge_pages(m.bytes());
  if (!rep_->memories.empty()) return sum;
  for (const Segment& s : rep_->segments) sum += bytes_on_huge_pages(s.bytes);
  return sum;
}

double Filter::fill_ratio() const noexcept {
  if (kind() == Kind::exact) return rep_->segments[0].shape.cells == 0 ? 0 : 1;
  double ones = 0, bits = 0;
  for (std::size_t i = 0; i < rep_->segments.size(); ++i) {
    const auto size = static_cast<double>(shape_bytes(rep_->segments[i].shape));  // of one kind: bytes weigh as bits do
    ones += share_of_ones(*rep_, i) * size;
    bits += size;
  }
  return ones / bits;
}

double Filter::current_fpr() const noexcept {
  double rate = 0;
  for (std::size_t i = 0; i < rep_->segments.size(); ++i) rate = compound(rate, current_rate(*rep_, i));
  return rate;
}

double Filter::expected_fpr() const noexcept {
  if (kind() == Kind::windowed) return bloomery::expected_fpr(rep_->segments[0].shape, rep_->counts.offered);
  double rate = 0;
  for (const Segment& s : rep_->segments)
    rate = compound(rate, bloomery::expected_fpr(s.shape, s.keys_inserted));
  return rate;
}

std::optional<double> Filter::estimated_keys() const noexcept {
  if (kind() == Kind::exact) return static_cast<double>(rep_->segments[0].shape.cells);
  double sum = 0;
  for (std::size_t i = 0; i < rep_->segments.size(); ++i) {
    const Segment& s = rep_->segments[i];
    const auto keys = Rep::is_static(s.shape.kind) ? std::optional(static_cast<double>(s.keys_inserted))  // for good
                                                   : bloomery::estimated_keys(s.shape, share_of_ones(*rep_, i));
    if (!keys) return std::nullopt;
    sum += *keys;
  }
  return sum;
}

std::uint64_t Filter::planned_keys() const noexcept {
  std::uint64_t sum = 0;
  for (const Segment& s : rep_->segments) sum += s.planned_keys;
  return sum;
}

double Filter::planned_fpr() const noexcept {
  if (rep_->growth) return rep_->growth->fpr;
  double rate = 0;
  for (const Segment& s : rep_->segments) rate = compound(rate, s.planned_fpr);
  return rate;
}

void FilterAccess::visit_payload(const Filter& f, std::size_t i, void (*visit)(void*, ConstBytes), void* context) {
  const Filter::Rep& rep = *f.rep_;
  const ConstBytes bytes = rep.segments[i].bytes;
  if (!rep.table && (!bytes.empty() || f.kind() != Kind::blocked)) return visit(context, bytes);
  if (!rep.table) {  // a few lines at a time
    std::array<std::byte, 512 * Blocked::kLineBytes> run;
    const std::uint64_t size = shape_bytes(rep.segments[i].shape);
    for (std::uint64_t at = 0; at < size; at += run.size()) {
      const Bytes out = Bytes(run).first(std::min<std::uint64_t>(run.size(), size - at));
      rep.gather(i, at, out);
      visit(context, out);
    }
    return;
  }
  struct Sink {
    void (*visit)(void*, ConstBytes);
    void* context;
  } sink{visit, context};
  const auto forward = [](void* s, std::span<const Hash> run) {
    const Sink& to = *static_cast<Sink*>(s);
    to.visit(to.context, std::as_bytes(run));
  };
  static_cast<void>(f.visit_fingerprints(forward, &sink));  // cannot fail: the filter is exact
}

Segment FilterAccess::file_segment(const Filter& f, std::size_t i) { return f.rep_->segments[i]; }
SecretKey FilterAccess::stored_key(const Filter& f) { return f.rep_->stored_key; }

}  // namespace bloomery
