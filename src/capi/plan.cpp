// Hashers and plans.
#include <cmath>
#include <limits>
#include <string>

#include "capi/translate.hpp"
#include "layout/layouts.hpp"

using namespace bloomery;
using namespace bloomery::capi;

namespace bloomery::capi {
namespace {

// Errors: invalid_argument for a number that no kind can have.
Result<Kind> to_kind(int32_t kind) {
  if (kind > 0 && kind <= std::numeric_limits<std::uint16_t>::max()) return static_cast<Kind>(kind);
  return Error{Errc::invalid_argument, "kind: " + std::to_string(kind) + " is none; use a BLOOMERY_KIND number"};
}

Result<Shape> to_shape(const bloomery_shape& shape) {
  if (shape.zero != 0) return Error{Errc::invalid_argument, "plan: a reserved field of shape is not zero"};
  Shape read{.kind = static_cast<Kind>(shape.kind),
             .rule = shape.rule,
             .probes = shape.probes,
             .cell_bits = shape.cell_bits,
             .lines_per_key = shape.lines_per_key,
             .cells = shape.cells,
             .salt = shape.salt};
  std::copy_n(shape.param, 2, read.param);
  Result<void> checked;
  const bool known = visit_layout(read.kind, [&]<class L>(L) { checked = L::check(read); });
  if (!known) return Error{Errc::invalid_argument, "plan: its shape is of no known kind; make it with bloomery_make_plan"};
  if (!checked) return checked.error();
  return read;
}

template <class Number>
std::optional<Number> if_given(Number number) {
  return number == 0 ? std::nullopt : std::optional(number);
}

Result<PlanRequest> to_request(const bloomery_plan_request* want) {
  const auto given = read_struct<bloomery_plan_request>("want", want, BLOOMERY_PLAN_REQUEST_INIT);
  if (!given) return given.error();
  if (given->zero != 0) return Error{Errc::invalid_argument, "want: the reserved field is not zero"};
  const auto kind = to_kind(given->kind);
  if (!kind) return kind.error();
  return PlanRequest{.kind = *kind,
                     .keys = if_given(given->keys),
                     .fpr = if_given(given->fpr),
                     .bits = if_given(given->bits),
                     .bits_per_key = if_given(given->bits_per_key),
                     .hashes = if_given(given->hashes),
                     .lines_per_key = if_given(given->lines_per_key),
                     .cell_bits = if_given(given->cell_bits),
                     .article = given->article != 0};
}

bloomery_plan plan_to_c(const Plan& plan) noexcept {
  bloomery_plan out = BLOOMERY_PLAN_INIT;
  out.shape = to_c(plan.shape);
  out.keys = plan.keys;
  out.fpr = plan.fpr;
  out.asked_fpr = plan.asked_fpr;
  out.size_bytes = plan.size_bytes;
  out.bits_per_key = plan.bits_per_key;
  out.fpr_floor = plan.fpr_floor;
  return out;
}

bool is_rate(double fpr) noexcept { return fpr >= 0 && fpr <= 1; }

}  // namespace

bloomery_shape to_c(const Shape& shape) noexcept {
  return {static_cast<std::uint16_t>(shape.kind), shape.rule, shape.probes, shape.cell_bits, shape.lines_per_key, 0,
          shape.cells, shape.salt, {shape.param[0], shape.param[1]}};
}

Result<Hasher> to_hasher(const bloomery_hasher& hasher) {
  if (hasher.id < 1 || hasher.id > 255 || hasher.zero != 0) {
    return Error{Errc::invalid_argument, "hasher: id " + std::to_string(hasher.id) +
                                             " and reserved field must be a BLOOMERY_HASH number and 0"};
  }
  Hasher read{.id = static_cast<HashId>(hasher.id)};
  std::memcpy(read.key.data(), hasher.key, sizeof hasher.key);
  if (auto checked = read.check(); !checked) return checked.error();
  return read;
}

Result<Plan> to_plan(const bloomery_plan* plan) {
  const auto given = read_struct<bloomery_plan>("plan", plan, BLOOMERY_PLAN_INIT);
  if (!given) return given.error();
  const auto shape = to_shape(given->shape);
  if (!shape) return shape.error();
  if (!is_rate(given->fpr) || !is_rate(given->asked_fpr))
    return Error{Errc::invalid_argument, "plan: fpr and asked_fpr must be between 0 and 1"};
  return Plan{.shape = *shape,
              .keys = given->keys,
              .fpr = given->fpr,
              .asked_fpr = given->asked_fpr,
              .size_bytes = given->size_bytes,
              .bits_per_key = given->bits_per_key,
              .fpr_floor = given->fpr_floor};
}

}  // namespace bloomery::capi

bloomery_status bloomery_hash_key(const bloomery_hasher* hasher, const void* key, size_t length, bloomery_hash* out,
                                  bloomery_error* error) {
  return run(error, [&]() -> Result<void> {
    if (auto given = need({{hasher, "hasher"}, {out, "out"}}); !given) return given;
    if (key == nullptr && length != 0) return null_argument("key");
    const auto read = to_hasher(*hasher);
    if (!read) return read.error();
    if (read->id == HashId::precomputed)
      return Error{Errc::not_supported, "hasher: precomputed means that the caller hashes"};
    const Hash hash = (*read)(to_key(key, length));
    *out = {hash.lo, hash.hi};
    return {};
  });
}

bloomery_hash bloomery_hash_from_u64(uint64_t word) {
  const Hash hash = Hash::from_u64(word);
  return {hash.lo, hash.hi};
}

bloomery_status bloomery_make_plan(const bloomery_plan_request* want, bloomery_plan* plan, bloomery_error* error) {
  return run(error, [&]() -> Result<void> {
    const auto request = to_request(want);
    if (!request) return request.error();
    const auto planned = bloomery::plan(*request);
    if (!planned) return planned.error();
    return write_struct("plan", plan, plan_to_c(*planned));
  });
}

double bloomery_plan_fpr_at(const bloomery_plan* plan, uint64_t keys) {
  double fpr = std::numeric_limits<double>::quiet_NaN();
  run(nullptr, [&]() -> Result<void> {
    const auto read = to_plan(plan);
    if (!read) return read.error();
    fpr = expected_fpr(read->shape, keys);
    return {};
  });
  return fpr;
}
