// Asking and inserting: keys as bytes, as hashes, as words; one by one and in batches.
#include "capi/change.hpp"

using namespace bloomery;
using namespace bloomery::capi;

namespace {

std::uint64_t all_maybes(std::size_t count, bool* out) noexcept {
  if (out != nullptr) std::fill_n(out, count, true);
  return count;
}

// How many of the keys translate(0) .. translate(count - 1) are maybes.
template <class Key, class Translate>
std::uint64_t ask(const Filter& filter, std::size_t count, bool* out, Translate translate) noexcept {
  std::uint64_t maybes = 0;
  std::array<bool, 512> unwanted;
  in_blocks<Key>(count, translate, [&](std::size_t at, std::span<const Key> keys) {
    maybes += filter.may_contain(keys, std::span(out != nullptr ? out + at : unwanted.data(), keys.size()));
    return true;
  });
  return maybes;
}

constexpr auto kInsertOne = [](Filter& filter, auto key) -> Result<bool> {
  const auto inserted = filter.insert(key);
  if (!inserted) return inserted.error();
  return *inserted == Inserted::fresh;
};
constexpr auto kInsert = [](Filter& filter, auto keys, std::span<bool> fresh) { return filter.insert(keys, fresh); };

}  // namespace

bool bloomery_may_contain(const bloomery_filter* filter, const void* key, size_t length) {
  if (filter == nullptr || (key == nullptr && length != 0)) return true;
  return filter->filter.may_contain(to_key(key, length));
}

bool bloomery_may_contain_hash(const bloomery_filter* filter, bloomery_hash key) {
  return filter == nullptr || filter->filter.may_contain(to_hash(key));
}

bool bloomery_may_contain_u64(const bloomery_filter* filter, uint64_t key) {
  return filter == nullptr || filter->filter.may_contain(Hash::from_u64(key));
}

uint64_t bloomery_may_contain_n(const bloomery_filter* filter, const void* const* keys, const size_t* lengths,
                                size_t count, bool* out) {
  if (filter == nullptr || keys == nullptr || lengths == nullptr) return all_maybes(count, out);
  return ask<std::string_view>(filter->filter, count, out, [&](std::size_t i) { return to_key(keys[i], lengths[i]); });
}

uint64_t bloomery_may_contain_hash_n(const bloomery_filter* filter, const bloomery_hash* keys, size_t count,
                                     bool* out) {
  if (filter == nullptr || keys == nullptr) return all_maybes(count, out);
  return ask<Hash>(filter->filter, count, out, [&](std::size_t i) { return to_hash(keys[i]); });
}

uint64_t bloomery_may_contain_u64_n(const bloomery_filter* filter, const uint64_t* keys, size_t count, bool* out) {
  if (filter == nullptr || keys == nullptr) return all_maybes(count, out);
  if (out != nullptr) return filter->filter.may_contain(std::span(keys, count), std::span(out, count));
  return ask<std::uint64_t>(filter->filter, count, out, [&](std::size_t i) { return keys[i]; });
}

bloomery_status bloomery_insert(bloomery_filter* filter, const void* key, size_t length, bool* fresh,
                                bloomery_error* error) {
  if (key == nullptr && length != 0) return run(error, []() -> Result<void> { return null_argument("key"); });
  return change_one(filter, to_key(key, length), fresh, error, kInsertOne);
}

bloomery_status bloomery_insert_hash(bloomery_filter* filter, bloomery_hash key, bool* fresh, bloomery_error* error) {
  return change_one(filter, to_hash(key), fresh, error, kInsertOne);
}

bloomery_status bloomery_insert_u64(bloomery_filter* filter, uint64_t key, bool* fresh, bloomery_error* error) {
  return change_one(filter, Hash::from_u64(key), fresh, error, kInsertOne);
}

bloomery_status bloomery_insert_n(bloomery_filter* filter, const void* const* keys, const size_t* lengths, size_t count,
                                  bool* fresh, uint64_t* fresh_count, bloomery_error* error) {
  return change_strings(filter, keys, lengths, count, {fresh, fresh_count}, error, kInsert);
}

bloomery_status bloomery_insert_hash_n(bloomery_filter* filter, const bloomery_hash* keys, size_t count, bool* fresh,
                                       uint64_t* fresh_count, bloomery_error* error) {
  return change_hashes(filter, keys, count, {fresh, fresh_count}, error, kInsert);
}

bloomery_status bloomery_insert_u64_n(bloomery_filter* filter, const uint64_t* keys, size_t count, bool* fresh,
                                      uint64_t* fresh_count, bloomery_error* error) {
  return run(error, [&]() -> Result<void> {
    if (keys == nullptr && count != 0) return null_argument("keys");
    return change_all<std::uint64_t>(filter, count, {fresh, fresh_count}, [&](std::size_t i) { return keys[i]; },
                                     kInsert);
  });
}
