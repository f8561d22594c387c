// Filling large filters.
#include "bloomery/bulk.hpp"

#include <algorithm>
#include <vector>

#include "core/guard.hpp"
#include "core/threads.hpp"
#include "filter/rep.hpp"
#include "kernels/bulk.hpp"
#include "layout/layouts.hpp"

namespace bloomery {
namespace {

kernels::BulkMeans means_of(const BuildOptions& options, const Segment& segment) noexcept {
  return {options.scratch_bytes ? *options.scratch_bytes : kernels::default_scratch_bytes(segment.bytes.size()),
          thread_count(options.threads)};
}

template <class Key>
Result<Filter> build_of(const Plan& plan, const Hasher& hasher, std::span<const Key> keys,
                        const BuildOptions& options) {
  auto filter = Filter::create(plan, hasher);
  if (!filter) return filter;
  if (auto inserted = filter->insert_bulk(keys, options); !inserted) return inserted.error();
  return filter;
}

template <class Key>
Result<Filter> build_of(const Spec& spec, std::span<const Key> keys, const BuildOptions& options) {
  const auto planned = plan(request_of(spec));
  if (!planned) return planned.error();
  return Filter::build(*planned, spec.hasher, keys, options);
}

}  // namespace

Result<Filter> Filter::build(const Spec& spec, std::span<const Hash> keys, const BuildOptions& options) {
  return build_of(spec, keys, options);
}

Result<Filter> Filter::build(const Spec& spec, std::span<const std::uint64_t> keys, const BuildOptions& options) {
  return build_of(spec, keys, options);
}

Result<Filter> Filter::build(const Plan& plan, const Hasher& hasher, std::span<const Hash> keys,
                             const BuildOptions& options) {
  if (!Rep::is_static(plan.shape.kind)) return build_of(plan, hasher, keys, options);
  return guarded([&]() -> Result<Filter> { return build_static(plan, hasher, keys); });
}

Result<Filter> Filter::build(const Plan& plan, const Hasher& hasher, std::span<const std::uint64_t> keys,
                             const BuildOptions& options) {
  if (!Rep::is_static(plan.shape.kind)) return build_of(plan, hasher, keys, options);
  return guarded([&]() -> Result<Filter> {
    std::vector<Hash> hashes(keys.size());
    std::transform(keys.begin(), keys.end(), hashes.begin(), Hash::from_u64);
    return build_static(plan, hasher, hashes);
  });
}

template <class Key>
std::uint64_t Filter::Rep::insert_bulk(std::span<const Key> keys, const BuildOptions& options) noexcept {
  const std::uint64_t fresh =
      kernels::insert_bulk(segments[0].shape, writable(0), keys, means_of(options, segments[0]));
  count(keys.size(), fresh);
  return fresh;
}

Result<std::uint64_t> Filter::insert_bulk(std::span<const Hash> keys, const BuildOptions& options) {
  return rep_->one_writable_segment() ? rep_->insert_bulk(keys, options) : insert(keys);
}

Result<std::uint64_t> Filter::insert_bulk(std::span<const std::uint64_t> keys, const BuildOptions& options) {
  return rep_->one_writable_segment() ? rep_->insert_bulk(keys, options) : insert(keys);
}

struct BulkInserter::State {
  Filter& filter;
  std::optional<kernels::BulkStream> stream;  // none: each add is an insert
};

BulkInserter::BulkInserter(std::unique_ptr<State> state) noexcept : state_(std::move(state)) {}
BulkInserter::BulkInserter(BulkInserter&&) noexcept = default;
BulkInserter& BulkInserter::operator=(BulkInserter&&) noexcept = default;
BulkInserter::~BulkInserter() = default;

Result<BulkInserter> BulkInserter::into(Filter& filter, const BuildOptions& options) {
  if (!filter.can(Filter::Op::insert))
    return Error{Errc::not_supported, "this filter is read-only: clone() it to change it"};
  return guarded([&]() -> Result<BulkInserter> {
    auto state = std::make_unique<State>(State{filter, std::nullopt});
    Filter::Rep& rep = *filter.rep_;
    if (rep.one_writable_segment()) {
      const Segment& segment = rep.segments[0];
      const std::uint64_t unknown = ~std::uint64_t{0};
      state->stream.emplace(segment.shape, rep.writable(0), segment.planned_keys == 0 ? unknown : segment.planned_keys,
                            means_of(options, segment));
    }
    return BulkInserter(std::move(state));
  });
}

Result<void> BulkInserter::add(std::span<const Hash> keys) {
  if (!state_->stream) {
    auto inserted = state_->filter.insert(keys);
    return inserted ? Result<void>{} : inserted.error();
  }
  state_->filter.rep_->count(keys.size(), state_->stream->add(keys));
  return {};
}

void BulkInserter::finish() noexcept {
  if (state_->stream) state_->filter.rep_->count(0, state_->stream->flush());
}

}  // namespace bloomery
