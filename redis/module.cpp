// Where the server enters.
#include <cstdio>

#include "redis/api.hpp"
#include "redis/bloom.hpp"
#include "redis/clock.hpp"
#include "redis/commands.hpp"
#include "redis/config.hpp"
#include "redis/key.hpp"
#include "redis/memory.hpp"

namespace redis = bloomery::redis;

namespace {
constexpr const char* kName = "bf";  // clients look for it
constexpr int kVersion = 100;        // 0.1.0
constexpr int kApiVersion = 1;

void describe(redis::InfoContext* context, int) {
  using redis::api;
  api.add_info_section(context, "bloom");
  api.add_info_field(context, "filters", redis::Value::alive);
  api.add_info_field(context, "memory_bytes", redis::bytes_in_use());
  api.add_info_field(context, "memory_limit", redis::config.memory_limit);
  api.add_info_field(context, "layout_blocked", redis::config.blocked);
}
}  // namespace

extern "C" __attribute__((visibility("default"))) int RedisModule_OnLoad(redis::Context* context,
                                                                         redis::String** arguments, int count) {
  using redis::api;
  if (const char* missing = redis::find_api(context)) {
    std::fprintf(stderr, "bloomery: this server has no RedisModule_%s; use Redis 7.0 or later\n", missing);
    return redis::kErr;
  }
  if (api.is_module_name_busy(kName)) {
    std::fprintf(stderr, "bloomery: a module named %s is loaded already; unload that one first\n", kName);
    return redis::kErr;
  }
  api.set_module_attributes(context, kName, kVersion, kApiVersion);
  api.set_module_options(context, redis::kHandleIoErrors | redis::kNoImplicitSignalModified);
  redis::use_server_memory();
  redis::use_server_clock();
  const bool fine = redis::register_types(context) && redis::register_commands(context) &&
                    redis::load_config(context, arguments, count) && api.register_info(context, describe) == redis::kOk;
  return fine ? redis::kOk : redis::kErr;
}
