// What all types have in common.
#pragma once
#include "redis/api.hpp"
#include "redis/bloom.hpp"

namespace bloomery::redis {

inline const Value& value_of(const void* kept) noexcept { return *static_cast<const Value*>(kept); }

// All but how values are stored.
inline TypeMethods value_methods() noexcept {
  TypeMethods methods;
  methods.mem_usage = [](const void* kept) { return value_of(kept).memory_bytes(); };
  methods.free_effort = [](String*, const void* kept) { return value_of(kept).free_effort(); };
  methods.copy = [](String*, String*, const void* kept) -> void* { return value_of(kept).clone().release(); };
  methods.free = [](void* kept) { delete static_cast<Value*>(kept); };
  return methods;
}

}  // namespace bloomery::redis
