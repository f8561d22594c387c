// SCANDUMP and LOADCHUNK: a filter in pieces, from one server to another, while both go on serving.
#include "redis/chain.hpp"
#include "redis/chain_type.hpp"
#include "redis/commands.hpp"
#include "redis/key.hpp"
#include "redis/native.hpp"

namespace bloomery::redis {
namespace {

int reply_chunk(Context* context, long long next, std::string_view bytes) {
  api.reply_array(context, 2);
  api.reply_integer(context, next);
  return api.reply_string(context, bytes.data(), bytes.size());
}

int create_from_header(Context* context, OpenedKey& key, std::string_view header) {
  std::unique_ptr<Value> value = Native::unpack(header);
  if (!value) value = Chain::from_header(header);
  if (!value) return api.reply_error(context, "ERR received bad data");
  key.create(std::move(value));
  return kOk;
}

// The number that came with a chunk is where the next one begins, plus one.
const char* store(Chain& chain, long long iterator, std::string_view bytes) {
  const auto size = static_cast<long long>(bytes.size());
  if (iterator <= 0 || iterator < size) return "ERR received bad data";
  const long long offset = iterator - size - 1;
  const auto stored = offset < 0 ? Chain::Stored::no_such_place : chain.store(static_cast<std::uint64_t>(offset), bytes);
  switch (stored) {
    case Chain::Stored::no_such_place: return "ERR invalid offset - no link found";
    case Chain::Stored::too_long: return "ERR invalid chunk - Too big for current filter";
    case Chain::Stored::yes: break;
  }
  return nullptr;
}

// One of our own goes in one piece.
int reply_whole(Context* context, const Native& native, long long iterator) {
  if (iterator != 0) return reply_chunk(context, 0, "");
  const std::string packed = native.pack();
  if (packed.empty()) return api.reply_error(context, "ERR out of memory");
  return reply_chunk(context, 1, packed);
}

}  // namespace

int scandump(Context* context, Arguments arguments) {
  OpenedKey key(context, arguments[1], kRead);
  const Chain* chain = key.chain();
  const Native* native = key.counting() ? key.counting() : key.native();
  if (!chain && !native) return key.refuse();
  long long iterator = 0;
  if (api.string_to_integer(arguments[2], &iterator) != kOk)
    return api.reply_error(context, "Second argument must be numeric");
  if (native) return reply_whole(context, *native, iterator);
  if (iterator == 0) return reply_chunk(context, 1, chain->header());
  if (iterator < 0) return reply_chunk(context, 0, "");
  const auto run = chain->run(static_cast<std::uint64_t>(iterator - 1), kMaxChunkBytes);
  return reply_chunk(context, run.empty() ? 0 : iterator + static_cast<long long>(run.size()), run);
}

int loadchunk(Context* context, Arguments arguments) {
  long long iterator = 0;
  if (api.string_to_integer(arguments[2], &iterator) != kOk)
    return api.reply_error(context, "ERR Second argument must be numeric");
  OpenedKey key(context, arguments[1], kRead | kWrite);
  if (key.missing() && iterator == 1) {
    create_from_header(context, key, view(arguments[3]));
    if (key.missing()) return kOk;
  } else if (key.native() || key.counting()) {
    return api.reply_error(context, "ERR item exists");
  } else if (!key.chain()) {
    return key.refuse();
  } else if (const char* wrong = store(*key.chain(), iterator, view(arguments[3]))) {
    return api.reply_error(context, wrong);
  }
  key.changed("bloom.loadchunk");
  api.replicate_verbatim(context);
  return api.reply_simple(context, "OK");
}

}  // namespace bloomery::redis
