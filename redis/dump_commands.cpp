// SCANDUMP and LOADCHUNK: a filter in pieces, from one server to another, while both go on serving.
#include "redis/chain.hpp"
#include "redis/commands.hpp"
#include "redis/key.hpp"
#include "redis/native.hpp"
#include "redis/pieces.hpp"
#include "redis/recipe.hpp"

namespace bloomery::redis {
namespace {

constexpr const char* kBadData = "ERR received bad data";

int reply_chunk(Context* context, long long next, std::string_view bytes) {
  api.reply_array(context, 2);
  api.reply_integer(context, next);
  return api.reply_string(context, bytes.data(), bytes.size());
}

int create_from_header(Context* context, OpenedKey& key, std::string_view header) {
  std::unique_ptr<Bloom> value;
  if (const auto head = unsealed(header, kHeadNumber)) value = Native::from_header(*head);
  if (!value) value = Chain::from_header(header);
  if (!value) return api.reply_error(context, kBadData);
  if (value->info().size_bytes > most_bytes(context)) return api.reply_error(context, kOverLimit);
  key.create(std::move(value));
  return kOk;
}

// The number that came with a chunk is where the next one begins, plus one.
const char* store(Bloom& bloom, long long number, std::string_view bytes) {
  const auto size = static_cast<long long>(bytes.size());
  if (number <= 0 || number < size) return kBadData;
  const long long offset = number - size - 1;
  const auto stored = offset < 0 ? Bloom::Stored::no_such_place : bloom.store(static_cast<std::uint64_t>(offset), bytes);
  switch (stored) {
    case Bloom::Stored::no_such_place: return "ERR invalid offset - no link found";
    case Bloom::Stored::too_long: return "ERR invalid chunk - Too big for current filter";
    case Bloom::Stored::yes: break;
  }
  return nullptr;
}

const char* store_sealed(Native& native, long long number, std::string_view bytes) {
  if (number == kHeadNumber) return "ERR item exists";
  const auto piece = unsealed(bytes, number);
  return piece ? store(native, number, *piece) : kBadData;
}

Bloom* value_in(const OpenedKey& key) noexcept { return key.counting() ? key.counting() : key.bloom(); }
Native* native_in(const OpenedKey& key) noexcept { return key.counting() ? key.counting() : key.native(); }

}  // namespace

int scandump(Context* context, Arguments arguments) {
  OpenedKey key(context, arguments[1], kRead);
  const Bloom* bloom = value_in(key);
  if (!bloom) return key.refuse();
  long long number = 0;
  if (api.string_to_integer(arguments[2], &number) != kOk)
    return api.reply_error(context, "Second argument must be numeric");
  const bool seals = native_in(key) != nullptr;
  const auto reply = [&](std::string_view piece, long long next) {
    return seals ? reply_chunk(context, next, sealed(piece, next)) : reply_chunk(context, next, piece);
  };
  if (number == 0) return reply(bloom->header(), kHeadNumber);
  if (number < 0) return reply_chunk(context, 0, "");
  const auto run = bloom->run(static_cast<std::uint64_t>(number - 1), seals ? kMaxRunBytes : kMaxChunkBytes);
  return run.empty() ? reply_chunk(context, 0, "") : reply(run, number + static_cast<long long>(run.size()));
}

int loadchunk(Context* context, Arguments arguments) {
  long long number = 0;
  if (api.string_to_integer(arguments[2], &number) != kOk)
    return api.reply_error(context, "ERR Second argument must be numeric");
  OpenedKey key(context, arguments[1], kRead | kWrite);
  if (key.missing() && number == kHeadNumber) {
    create_from_header(context, key, view(arguments[3]));
    if (key.missing()) return kOk;
  } else if (!value_in(key)) {
    return key.refuse();
  } else {
    Native* native = native_in(key);
    const char* wrong = native ? store_sealed(*native, number, view(arguments[3])) : store(*key.bloom(), number, view(arguments[3]));
    if (wrong) return api.reply_error(context, wrong);
  }
  key.changed("bloom.loadchunk");
  api.replicate_verbatim(context);
  return api.reply_simple(context, "OK");
}

}  // namespace bloomery::redis
