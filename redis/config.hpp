// What CONFIG SET and the arguments of `loadmodule` can change.
#pragma once
#include <cstdint>
#include <string_view>

#include "redis/api.hpp"

namespace bloomery::redis {

constexpr std::uint64_t kMaxCapacity = std::uint64_t{1} << 30;
constexpr std::uint64_t kMaxExpansion = 32768;

// How a filter is made where the command does not say.
struct Config {
  double error_rate = 0.01;
  std::uint64_t initial_size = 100;
  std::uint32_t expansion = 2;  // 0: does not grow
  bool blocked = false;         // in our own layout, and not in RedisBloom's
  std::uint64_t memory_limit = 0;  // bytes of a filter; 0: none
};
extern Config config;

// Registers and loads the settings, then takes `loadmodule`'s arguments: name and value, by turns.
// False, with a line in the server's log: one is unknown or out of range.
bool load_config(Context* context, String** arguments, int count) noexcept;

}  // namespace bloomery::redis
