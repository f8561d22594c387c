#include "redis/api.hpp"

#include <cstring>

namespace bloomery::redis {

Api api;

const char* find_api(Context* context) noexcept {
  // The first word of a context is the function that finds the others.
  int (*find)(const char*, void*) = nullptr;
  std::memcpy(&find, context, sizeof find);
#define BLOOMERY_REDIS_FIND(server_name, name, result, parameters) \
  if (find("RedisModule_" #server_name, &api.name) != kOk) return #server_name;
  BLOOMERY_REDIS_NEEDED(BLOOMERY_REDIS_FIND)
#undef BLOOMERY_REDIS_FIND
#define BLOOMERY_REDIS_FIND(server_name, name, result, parameters) \
  if (find("RedisModule_" #server_name, &api.name) != kOk) api.name = nullptr;
  BLOOMERY_REDIS_WELCOME(BLOOMERY_REDIS_FIND)
#undef BLOOMERY_REDIS_FIND
  return nullptr;
}

}  // namespace bloomery::redis
