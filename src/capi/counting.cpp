// What counting filters do beside the others; and insertion by several threads.
#include "capi/change.hpp"

using namespace bloomery;
using namespace bloomery::capi;

namespace {

constexpr auto kEraseOne = [](Filter& filter, auto key) -> Result<bool> {
  const auto erased = filter.erase(key);
  if (!erased) return erased.error();
  return *erased == Erased::erased;
};
constexpr auto kErase = [](Filter& filter, auto keys, std::span<bool> erased) { return filter.erase(keys, erased); };
constexpr auto kInsertConcurrently = [](Filter& filter, auto keys, std::span<bool> fresh) {
  return filter.insert_concurrent(keys, fresh);
};

template <class Key>
bloomery_status count_one(const bloomery_filter* filter, Key key, uint64_t* out, bloomery_error* error) noexcept {
  if (filter == nullptr || out == nullptr)
    return run(error, [&] { return need({{filter, "filter"}, {out, "out"}}); });
  const auto count = filter->filter.count_at_most(key);
  if (!count) return fail(error, static_cast<Errc>(BLOOMERY_NO_VALUE), "how often the key is in cannot be told");
  *out = *count;
  return BLOOMERY_OK;
}

}  // namespace

bloomery_status bloomery_erase(bloomery_filter* filter, const void* key, size_t length, bool* erased,
                               bloomery_error* error) {
  if (key == nullptr && length != 0) return run(error, []() -> Result<void> { return null_argument("key"); });
  return change_one(filter, to_key(key, length), erased, error, kEraseOne);
}

bloomery_status bloomery_erase_hash(bloomery_filter* filter, bloomery_hash key, bool* erased, bloomery_error* error) {
  return change_one(filter, to_hash(key), erased, error, kEraseOne);
}

bloomery_status bloomery_erase_u64(bloomery_filter* filter, uint64_t key, bool* erased, bloomery_error* error) {
  return change_one(filter, Hash::from_u64(key), erased, error, kEraseOne);
}

bloomery_status bloomery_erase_n(bloomery_filter* filter, const void* const* keys, const size_t* lengths, size_t count,
                                 bool* erased, uint64_t* erased_count, bloomery_error* error) {
  return change_strings(filter, keys, lengths, count, {erased, erased_count}, error, kErase);
}

bloomery_status bloomery_erase_hash_n(bloomery_filter* filter, const bloomery_hash* keys, size_t count, bool* erased,
                                      uint64_t* erased_count, bloomery_error* error) {
  return change_hashes(filter, keys, count, {erased, erased_count}, error, kErase);
}

bloomery_status bloomery_count_at_most(const bloomery_filter* filter, const void* key, size_t length, uint64_t* out,
                                       bloomery_error* error) {
  if (key == nullptr && length != 0) return run(error, []() -> Result<void> { return null_argument("key"); });
  return count_one(filter, to_key(key, length), out, error);
}

bloomery_status bloomery_count_at_most_hash(const bloomery_filter* filter, bloomery_hash key, uint64_t* out,
                                            bloomery_error* error) {
  return count_one(filter, to_hash(key), out, error);
}

bloomery_status bloomery_to_plain(const bloomery_filter* filter, bloomery_filter** out, bloomery_error* error) {
  return make(out, error, [&]() -> Result<Filter> {
    if (filter == nullptr) return null_argument("filter");
    return filter->filter.to_plain();
  });
}

bloomery_status bloomery_insert_concurrent_n(bloomery_filter* filter, const void* const* keys, const size_t* lengths,
                                             size_t count, bool* fresh, uint64_t* fresh_count, bloomery_error* error) {
  return change_strings(filter, keys, lengths, count, {fresh, fresh_count}, error, kInsertConcurrently);
}

bloomery_status bloomery_insert_concurrent_hash_n(bloomery_filter* filter, const bloomery_hash* keys, size_t count,
                                                  bool* fresh, uint64_t* fresh_count, bloomery_error* error) {
  return change_hashes(filter, keys, count, {fresh, fresh_count}, error, kInsertConcurrently);
}
