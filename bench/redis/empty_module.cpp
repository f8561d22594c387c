// What any command of a module costs that has a key and an item, before it does anything with them. EMPTY.REPLY leaves
// its key alone, EMPTY.OPEN opens it to read; EMPTY.WRITE opens it to write, and tells replicas, watchers and listeners of a change.
#include "redis/api.hpp"

namespace redis = bloomery::redis;
using redis::api;

namespace {

int reply(redis::Context* context, redis::String**, int) { return api.reply_bool(context, 0); }

int open(redis::Context* context, redis::String** words, int) {
  if (redis::Key* key = api.open_key(context, words[1], redis::kRead)) api.close_key(key);
  return api.reply_bool(context, 0);
}

int write(redis::Context* context, redis::String** words, int) {
  redis::Key* key = api.open_key(context, words[1], redis::kRead | redis::kWrite);
  api.reply_bool(context, 1);
  api.replicate_verbatim(context);
  api.signal_modified_key(context, words[1]);
  api.notify(context, redis::kNotifyGeneric, "empty.write", words[1]);
  if (key) api.close_key(key);
  return redis::kOk;
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
                    add(context, "empty.open", open, "readonly fast") &&
                    add(context, "empty.write", write, "write deny-oom");
  return fine ? redis::kOk : redis::kErr;
}
