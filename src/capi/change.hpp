// What insertion and erasure share: one key or many, and what they report.
#pragma once
#include "capi/translate.hpp"

namespace bloomery::capi {

// What the caller wants to be told: of each key, and how many; each may be NULL.
struct Report {
  bool* each;
  std::uint64_t* sum;
};

// change(filter, key) is a Result<bool>, told in *answer.
template <class Key, class Change>
bloomery_status change_one(bloomery_filter* filter, Key key, bool* answer, bloomery_error* error,
                           Change change) noexcept {
  return run(error, [&]() -> Result<void> {
    if (filter == nullptr) return null_argument("filter");
    const Result<bool> changed = change(filter->filter, key);
    if (!changed) return changed.error();
    if (answer != nullptr) *answer = *changed;
    return {};
  });
}

// change(filter, keys, answers) is a Result of how many.
template <class Key, class Translate, class Change>
Result<void> change_all(bloomery_filter* filter, std::size_t count, Report report, Translate translate,
                        Change change) {
  if (filter == nullptr) return null_argument("filter");
  std::uint64_t sum = 0;
  Result<std::uint64_t> changed = sum;
  in_blocks<Key>(count, translate, [&](std::size_t at, std::span<const Key> keys) {
    const std::span<bool> each(report.each != nullptr ? report.each + at : nullptr,
                               report.each != nullptr ? keys.size() : 0);
    changed = change(filter->filter, keys, each);
    if (changed) sum += *changed;
    return static_cast<bool>(changed);
  });
  if (!changed) return changed.error();
  if (report.sum != nullptr) *report.sum = sum;
  return {};
}

template <class Change>
bloomery_status change_strings(bloomery_filter* filter, const void* const* keys, const size_t* lengths, size_t count,
                               Report report, bloomery_error* error, Change change) noexcept {
  return run(error, [&]() -> Result<void> {
    if (keys == nullptr && count != 0) return null_argument("keys");
    if (lengths == nullptr && count != 0) return null_argument("lengths");
    return change_all<std::string_view>(filter, count, report,
                                        [&](std::size_t i) { return to_key(keys[i], lengths[i]); }, change);
  });
}

template <class Change>
bloomery_status change_hashes(bloomery_filter* filter, const bloomery_hash* keys, size_t count, Report report,
                              bloomery_error* error, Change change) noexcept {
  return run(error, [&]() -> Result<void> {
    if (keys == nullptr && count != 0) return null_argument("keys");
    return change_all<Hash>(filter, count, report, [&](std::size_t i) { return to_hash(keys[i]); }, change);
  });
}

}  // namespace bloomery::capi
