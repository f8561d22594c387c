// What every part of the C API shares: handles, errors, keys, structs that grow.
#pragma once
#include <algorithm>
#include <array>
#include <cstring>
#include <initializer_list>
#include <span>
#include <string_view>

#include "bloomery.h"
#include "bloomery/file.hpp"
#include "bloomery/filter.hpp"
#include "core/guard.hpp"

struct bloomery_filter {
  bloomery::Filter filter;
};

struct bloomery_lock {
  bloomery::Lock lock;
};

namespace bloomery::capi {

// Fills the caller's error, if there is one, and returns the code. A message that is too long ends with the
// last whole character of UTF-8 that fits.
bloomery_status fail(bloomery_error* error, Errc code, std::string_view message) noexcept;

struct Argument {
  const void* pointer;
  const char* name;
};
Error null_argument(const char* name);
// Errors: invalid_argument, naming the first that is NULL.
Result<void> need(std::initializer_list<Argument> arguments);

// The border: runs work(), a Result<void>; whatever goes wrong inside becomes a status.
template <class Work>
bloomery_status run(bloomery_error* error, Work&& work) noexcept {
  const Result<void> done = guarded([&]() -> Result<void> { return work(); });
  return done ? BLOOMERY_OK : fail(error, done.error().code, done.error().message);
}

// run() for what makes a handle: work() gives a Result of what the handle holds.
template <class Handle, class Work>
bloomery_status make(Handle** out, bloomery_error* error, Work&& work) noexcept {
  if (out != nullptr) *out = nullptr;
  return run(error, [&]() -> Result<void> {
    if (out == nullptr) return null_argument("out");
    auto made = work();
    if (!made) return made.error();
    *out = new Handle{*std::move(made)};
    return {};
  });
}

// Refuses sizes that no version of a struct can have. Errors: invalid_argument.
Result<void> check_struct_size(const char* name, std::size_t size);
// Errors: not_supported if some byte is not zero: a newer caller asks for what this version does not know.
Result<void> check_unknown_fields(const char* name, std::span<const std::byte> fields);

// The caller's struct as this version knows it: fields that an older caller lacks come from defaults.
template <class Struct>
Result<Struct> read_struct(const char* name, const Struct* given, const Struct& defaults) {
  if (given == nullptr) return null_argument(name);
  std::size_t size;
  std::memcpy(&size, given, sizeof size);
  if (auto checked = check_struct_size(name, size); !checked) return checked.error();
  const auto* bytes = reinterpret_cast<const std::byte*>(given);
  const std::size_t known = std::min(size, sizeof(Struct));
  if (auto checked = check_unknown_fields(name, {bytes + known, size - known}); !checked) return checked.error();
  Struct read = defaults;
  std::memcpy(&read, bytes, known);
  return read;
}

// Writes what the caller's version of the struct has room for.
template <class Struct>
Result<void> write_struct(const char* name, Struct* out, Struct value) {
  if (out == nullptr) return null_argument(name);
  std::memcpy(&value.struct_size, out, sizeof value.struct_size);
  const std::size_t size = value.struct_size;
  if (auto checked = check_struct_size(name, size); !checked) return checked;
  auto* bytes = reinterpret_cast<std::byte*>(out);
  const std::size_t known = std::min(size, sizeof(Struct));
  std::memcpy(bytes, &value, known);
  std::fill_n(bytes + known, size - known, std::byte{0});
  return {};
}

// plan.cpp
bloomery_shape to_c(const Shape& shape) noexcept;
Result<Hasher> to_hasher(const bloomery_hasher& hasher);
Result<Plan> to_plan(const bloomery_plan* plan);

inline Hash to_hash(bloomery_hash hash) noexcept { return {hash.lo, hash.hi}; }
inline std::string_view to_key(const void* key, std::size_t length) noexcept {
  return {static_cast<const char*>(key), length};
}

// Calls use(offset, keys) with translate(0), translate(1), .. in blocks on the stack, until it returns false.
template <class Key, class Translate, class Use>
void in_blocks(std::size_t count, Translate translate, Use use) {
  std::array<Key, 512> block;
  for (std::size_t at = 0; at < count; at += block.size()) {
    const std::size_t size = std::min(block.size(), count - at);
    for (std::size_t i = 0; i < size; ++i) block[i] = translate(at + i);
    if (!use(at, std::span<const Key>(block.data(), size))) return;
  }
}

}  // namespace bloomery::capi
