// What any command of a module costs: these answer 0 and do nothing else. EMPTY.REPLY leaves its key alone, EMPTY.OPEN
// opens it to read, EMPTY.WRITE to write.
#include "redis/api.hpp"

namespace redis = bloomery::redis;
using redis::api;

namespace {

int reply(redis::Context* context, redis::String**, int) { return api.reply_bool(context, 0); }

template <int mode>
int open(redis::Context* context, redis::String** words, int) {
  if (redis::Key* key = api.open_key(context, words[1], mode)) api.close_key(key);
  return api.reply_bool(context, 0);
}

bool add(redis::Context* context, const char* name, redis::CommandFunction function, const char* flags) {
  return api.create_command(context, name, function, flags, 1, 1, 1) == redis::kOk;
}

}  // namespace

extern "C" __attribute__((visibility("default"))) int RedisModule_OnLoad(redis::Context* context, redis::String**,
                                                                         int) {
  if (redis::find_api(context)) return redis::kErr;
  api.set_module_attributes(context, "empty", 1, 1);
  api.set_module_options(context, redis::kNoImplicitSignalModified);
  const bool fine = add(context, "empty.reply", reply, "readonly fast") &&
                    add(context, "empty.open", open<redis::kRead>, "readonly fast") &&
                    add(context, "empty.write", open<redis::kRead | redis::kWrite>, "write deny-oom");
  return fine ? redis::kOk : redis::kErr;
}
