// Making filters, combining them, and what they know.
#include <cmath>
#include <string>
#include <vector>

#include "capi/translate.hpp"

using namespace bloomery;
using namespace bloomery::capi;

namespace {

static_assert(BLOOMERY_OP_INSERT == static_cast<int>(Filter::Op::insert));
static_assert(BLOOMERY_OP_INSERT_KEY == static_cast<int>(Filter::Op::insert_string));
static_assert(BLOOMERY_OP_MERGE == static_cast<int>(Filter::Op::merge));
static_assert(BLOOMERY_OP_INTERSECT == static_cast<int>(Filter::Op::intersect));
static_assert(BLOOMERY_OP_ERASE == static_cast<int>(Filter::Op::erase));

Result<Spec> to_spec(const bloomery_spec* spec) {
  const auto given = read_struct<bloomery_spec>("spec", spec, BLOOMERY_SPEC_INIT);
  if (!given) return given.error();
  if (given->kind < 1 || given->kind > 65535 || given->zero != 0) {
    return Error{Errc::invalid_argument, "spec: kind " + std::to_string(given->kind) +
                                             " and reserved field must be a BLOOMERY_KIND number and 0"};
  }
  const auto hasher = to_hasher(given->hasher);
  if (!hasher) return hasher.error();
  return Spec{.kind = static_cast<Kind>(given->kind),
              .expected_keys = given->expected_keys,
              .fpr = given->fpr,
              .hasher = *hasher};
}

// The filter of count keys, the i-th of which is hash_at(i).
template <class HashAt>
Result<Filter> build_from(const bloomery_spec* spec, const void* keys, std::size_t count, HashAt hash_at) {
  if (keys == nullptr && count != 0) return null_argument("keys");
  const auto read = to_spec(spec);
  if (!read) return read.error();
  std::vector<Hash> hashes(count);
  for (std::size_t i = 0; i < count; ++i) hashes[i] = hash_at(i);
  return Filter::build(*read, hashes);
}

bloomery_info to_info(const Filter& filter) {
  bloomery_info info = BLOOMERY_INFO_INIT;
  const Counts counts = filter.counts();
  info.kind = static_cast<int32_t>(filter.kind());
  info.hash_id = static_cast<int32_t>(filter.hasher().id);
  info.segments = filter.segments().size();
  info.planned_keys = filter.planned_keys();
  info.planned_fpr = filter.planned_fpr();
  info.expected_fpr = filter.expected_fpr();
  info.keys_offered = counts.offered;
  info.keys_inserted = counts.inserted;
  info.expected_wrong_repeats = counts.expected_wrong_repeats;
  info.size_bytes = filter.size_bytes();
  info.memory_bytes = filter.memory_bytes();
  info.optional_features = filter.optional_features();
  info.inserted_is_estimate = counts.estimated;
  info.read_only = filter.read_only();
  info.key_missing = filter.key_missing();
  return info;
}

bloomery_segment to_segment(const Segment& from) {
  bloomery_segment segment = BLOOMERY_SEGMENT_INIT;
  segment.shape = to_c(from.shape);
  segment.planned_keys = from.planned_keys;
  segment.planned_fpr = from.planned_fpr;
  segment.keys_inserted = from.keys_inserted;
  segment.bytes = from.bytes.empty() ? nullptr : from.bytes.data();
  segment.size_bytes = from.bytes.size();
  return segment;
}

// A C callback and its context, called with runs of bloomery_hash.
struct Visitor {
  bloomery_visit visit;
  void* context;

  void operator()(std::span<const Hash> run) const {
    in_blocks<bloomery_hash>(
        run.size(), [&](std::size_t i) { return bloomery_hash{run[i].lo, run[i].hi}; },
        [&](std::size_t, std::span<const bloomery_hash> block) {
          visit(context, block.data(), block.size());
          return true;
        });
  }
};

}  // namespace

bloomery_status bloomery_create(const bloomery_spec* spec, bloomery_filter** out, bloomery_error* error) {
  return make(out, error, [&]() -> Result<Filter> {
    const auto read = to_spec(spec);
    if (!read) return read.error();
    return Filter::create(*read);
  });
}

bloomery_status bloomery_create_planned(const bloomery_plan* plan, const bloomery_hasher* hasher,
                                        bloomery_filter** out, bloomery_error* error) {
  return make(out, error, [&]() -> Result<Filter> {
    const auto read_plan = to_plan(plan);
    if (!read_plan) return read_plan.error();
    const auto read_hasher = to_hasher(hasher != nullptr ? *hasher : bloomery_hasher BLOOMERY_HASHER_INIT);
    if (!read_hasher) return read_hasher.error();
    return Filter::create(*read_plan, *read_hasher);
  });
}

bloomery_status bloomery_build(const bloomery_spec* spec, const bloomery_hash* keys, size_t count,
                               bloomery_filter** out, bloomery_error* error) {
  return make(out, error, [&] { return build_from(spec, keys, count, [&](std::size_t i) { return to_hash(keys[i]); }); });
}

bloomery_status bloomery_build_u64(const bloomery_spec* spec, const uint64_t* keys, size_t count,
                                   bloomery_filter** out, bloomery_error* error) {
  return make(out, error,
              [&] { return build_from(spec, keys, count, [&](std::size_t i) { return Hash::from_u64(keys[i]); }); });
}

bloomery_status bloomery_clone(const bloomery_filter* filter, bloomery_filter** out, bloomery_error* error) {
  return make(out, error, [&]() -> Result<Filter> {
    if (filter == nullptr) return null_argument("filter");
    return filter->filter.clone();
  });
}

void bloomery_free(bloomery_filter* filter) { delete filter; }

bloomery_status bloomery_merge(bloomery_filter* filter, const bloomery_filter* other, bloomery_error* error) {
  return run(error, [&]() -> Result<void> {
    if (auto given = need({{filter, "filter"}, {other, "other"}}); !given) return given;
    return filter->filter.merge(other->filter);
  });
}

bloomery_status bloomery_intersect(bloomery_filter* filter, const bloomery_filter* other, bloomery_error* error) {
  return run(error, [&]() -> Result<void> {
    if (auto given = need({{filter, "filter"}, {other, "other"}}); !given) return given;
    return filter->filter.intersect(other->filter);
  });
}

bloomery_status bloomery_clear(bloomery_filter* filter, bloomery_error* error) {
  return run(error, [&] { return filter != nullptr ? filter->filter.clear() : null_argument("filter"); });
}

bloomery_status bloomery_append_segment(bloomery_filter* filter, const bloomery_plan* plan, bloomery_error* error) {
  return run(error, [&]() -> Result<void> {
    if (filter == nullptr) return null_argument("filter");
    const auto read = to_plan(plan);
    if (!read) return read.error();
    return filter->filter.append_segment(*read);
  });
}

bloomery_status bloomery_reserve(bloomery_filter* filter, uint64_t more_keys, uint64_t max_bytes,
                                 bloomery_error* error) {
  return run(error, [&] {
    return filter != nullptr ? filter->filter.reserve(more_keys, max_bytes) : null_argument("filter");
  });
}

bool bloomery_equal(const bloomery_filter* a, const bloomery_filter* b) {
  return a == b || (a != nullptr && b != nullptr && a->filter == b->filter);
}

bool bloomery_can(const bloomery_filter* filter, int operation) {
  return filter != nullptr && operation >= BLOOMERY_OP_INSERT && operation <= BLOOMERY_OP_ERASE &&
         filter->filter.can(static_cast<Filter::Op>(operation));
}

bloomery_status bloomery_get_info(const bloomery_filter* filter, bloomery_info* info, bloomery_error* error) {
  return run(error, [&]() -> Result<void> {
    if (filter == nullptr) return null_argument("filter");
    return write_struct("info", info, to_info(filter->filter));
  });
}

bloomery_status bloomery_get_segment(const bloomery_filter* filter, uint64_t index, bloomery_segment* segment,
                                     bloomery_error* error) {
  return run(error, [&]() -> Result<void> {
    if (filter == nullptr) return null_argument("filter");
    const auto segments = filter->filter.segments();
    if (index >= segments.size()) {
      return Error{Errc::invalid_argument, "index: " + std::to_string(index) + ", but the filter has " +
                                               std::to_string(segments.size()) + " segments"};
    }
    return write_struct("segment", segment, to_segment(segments[index]));
  });
}

bloomery_status bloomery_get_hasher(const bloomery_filter* filter, bloomery_hasher* out, bloomery_error* error) {
  return run(error, [&]() -> Result<void> {
    if (auto given = need({{filter, "filter"}, {out, "out"}}); !given) return given;
    if (filter->filter.key_missing())
      return Error{Errc::key_required, "this filter's hash has a secret key: open it with the key"};
    *out = {static_cast<int32_t>(filter->filter.hasher().id), 0, {}};
    std::memcpy(out->key, filter->filter.hasher().key.data(), sizeof out->key);
    return {};
  });
}

void bloomery_set_expected_wrong_repeats(bloomery_filter* filter, double expected) {
  if (filter == nullptr) return;
  bloomery::Counts counts = filter->filter.counts();
  counts.expected_wrong_repeats = expected;
  filter->filter.set_counts(counts);
}

double bloomery_fill_ratio(const bloomery_filter* filter) {
  return filter != nullptr ? filter->filter.fill_ratio() : 0;
}

double bloomery_current_fpr(const bloomery_filter* filter) {
  return filter != nullptr ? filter->filter.current_fpr() : 0;
}

bloomery_status bloomery_estimated_keys(const bloomery_filter* filter, double* out, bloomery_error* error) {
  std::optional<double> keys;
  const bloomery_status status = run(error, [&]() -> Result<void> {
    if (auto given = need({{filter, "filter"}, {out, "out"}}); !given) return given;
    keys = filter->filter.estimated_keys();
    return {};
  });
  if (status != BLOOMERY_OK) return status;
  if (!keys) return fail(error, static_cast<Errc>(BLOOMERY_NO_VALUE), "every bit is set: the number of keys cannot be told");
  *out = *keys;
  return BLOOMERY_OK;
}

bloomery_status bloomery_visit_fingerprints(const bloomery_filter* filter, bloomery_visit visit, void* context,
                                            bloomery_error* error) {
  return run(error, [&]() -> Result<void> {
    if (filter == nullptr) return null_argument("filter");
    if (visit == nullptr) return null_argument("visit");
    Visitor visitor{visit, context};
    return filter->filter.visit_fingerprints(
        [](void* self, std::span<const Hash> run) { (*static_cast<Visitor*>(self))(run); }, &visitor);
  });
}
