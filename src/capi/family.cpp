// Filters that grow or forget, shrinking and comparing.
#include "bloomery/compare.hpp"
#include "bloomery/growth.hpp"
#include "bloomery/shrink.hpp"
#include "capi/translate.hpp"

using namespace bloomery;
using namespace bloomery::capi;

namespace {

bloomery_estimate to_c(const Estimate& estimate) noexcept { return {estimate.value, estimate.low, estimate.high}; }

}  // namespace

bloomery_status bloomery_create_growing(const bloomery_growth* growth, const bloomery_hasher* hasher,
                                        bloomery_filter** out, bloomery_error* error) {
  return make(out, error, [&]() -> Result<Filter> {
    constexpr bloomery_growth kDefault = BLOOMERY_GROWTH_INIT;
    const auto read = read_struct("growth", growth != nullptr ? growth : &kDefault, kDefault);
    if (!read) return read.error();
    const auto read_hasher = to_hasher(hasher != nullptr ? *hasher : bloomery_hasher BLOOMERY_HASHER_INIT);
    if (!read_hasher) return read_hasher.error();
    return Filter::create(
        Growth{.fpr = read->fpr, .remember_keys = read->remember_keys, .most_memory = read->most_memory}, *read_hasher);
  });
}

bloomery_status bloomery_begin_generation(bloomery_filter* filter, bloomery_error* error) {
  return run(error, [&]() -> Result<void> {
    if (filter == nullptr) return null_argument("filter");
    return filter->filter.begin_generation();
  });
}

bloomery_status bloomery_shrink(const bloomery_filter* filter, uint64_t by, bloomery_filter** out,
                                bloomery_error* error) {
  return make(out, error, [&]() -> Result<Filter> {
    if (filter == nullptr) return null_argument("filter");
    return shrink(filter->filter, by);
  });
}

bloomery_status bloomery_compare(const bloomery_filter* a, const bloomery_filter* b, double confidence,
                                 bloomery_comparison* out, bloomery_error* error) {
  return run(error, [&]() -> Result<void> {
    if (auto given = need({{a, "a"}, {b, "b"}, {out, "out"}}); !given) return given;
    const auto compared = compare(a->filter, b->filter, confidence);
    if (!compared) return compared.error();
    return write_struct("out", out,
                        bloomery_comparison{sizeof(bloomery_comparison), to_c(compared->keys_a), to_c(compared->keys_b),
                                            to_c(compared->keys_in_either), to_c(compared->keys_in_both),
                                            to_c(compared->jaccard)});
  });
}
