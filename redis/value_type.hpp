// What all types have in common.
#pragma once
#include "redis/api.hpp"
#include "redis/bloom.hpp"

namespace bloomery::redis {

inline const Value& value_of(const void* kept) noexcept { return *static_cast<const Value*>(kept); }

// Block by block, from where it stopped the last time. 1: not done yet.
inline int defrag(DefragContext* context, String*, void** kept) noexcept {
  unsigned long i = 0;
  if (api.get_defrag_cursor(context, &i) != kOk) i = 0;
  const auto move = [](void* to, void* block) { return api.move_block(static_cast<DefragContext*>(to), block); };
  while (static_cast<Value*>(*kept)->move_block(i, move, context)) {
    ++i;
    if (api.should_stop_defrag(context) && api.set_defrag_cursor(context, i) == kOk) return 1;
  }
  return 0;
}

// All but how values are stored.
inline TypeMethods value_methods() noexcept {
  TypeMethods methods;
  methods.mem_usage = [](const void* kept) { return value_of(kept).memory_bytes(); };
  methods.free_effort = [](String*, const void* kept) { return value_of(kept).free_effort(); };
  methods.copy = [](String*, String*, const void* kept) -> void* { return value_of(kept).clone().release(); };
  methods.defrag = defrag;
  methods.free = [](void* kept) { delete static_cast<Value*>(kept); };
  return methods;
}

}  // namespace bloomery::redis
