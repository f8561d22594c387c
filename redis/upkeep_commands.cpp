// Commands that change a filter as a whole, or take out of it.
#include <string>

#include "redis/chain.hpp"
#include "redis/commands.hpp"
#include "redis/key.hpp"
#include "redis/native.hpp"
#include "redis/recipe.hpp"

namespace bloomery::redis {
namespace {

int reply_changed(Context* context, const OpenedKey& key, const char* event) {
  key.changed(event);
  api.replicate_verbatim(context);
  return api.reply_simple(context, "OK");
}

int reply_text(Context* context, const std::string& text) { return api.reply_error(context, ("ERR " + text).c_str()); }

// Empty: they can be merged.
std::string why_not_merge(const Bloom& into, const Bloom& from) {
  const auto *chain = dynamic_cast<const Chain*>(&into), *other_chain = dynamic_cast<const Chain*>(&from);
  if (!chain != !other_chain) return "layouts differ: only one is compatible";
  if (chain) return chain->why_not_merge(*other_chain);
  return static_cast<const Native&>(into).why_not_merge(static_cast<const Native&>(from));
}

bool merge_one(Bloom& into, const Bloom& from) noexcept {
  if (auto* chain = dynamic_cast<Chain*>(&into)) return chain->merge(static_cast<const Chain&>(from));
  return static_cast<Native&>(into).merge(static_cast<const Native&>(from)) == Native::Changed::yes;
}

// Are all sources filters of the shape of `first`? Otherwise replies.
bool check_sources(Context* context, Arguments sources, const Bloom& first) {
  for (String* name : sources) {
    OpenedKey source(context, name, kRead);
    if (!source.bloom()) {
      source.refuse();
      return false;
    }
    const std::string why = why_not_merge(first, *source.bloom());
    if (!why.empty()) {
      reply_text(context, why + ", in the key " + std::string(view(name)));
      return false;
    }
  }
  return true;
}

// A new key begins as a copy of the first source. Returns what is wrong; null: nothing.
const char* begin_with(Context* context, OpenedKey& into, String* source) {
  OpenedKey from(context, source, kRead);
  if (from.bloom()->info().size_bytes > most_bytes(context)) return kOverLimit;
  auto copy = from.bloom()->clone();
  if (!copy) return "ERR Insufficient memory to create filter";
  into.create(std::move(copy));
  return nullptr;
}

}  // namespace

int merge(Context* context, Arguments arguments) {
  const Arguments sources = arguments.subspan(2);
  OpenedKey into(context, arguments[1], kRead | kWrite);
  if (!into.missing() && !into.bloom()) return into.refuse();
  const bool creating = into.missing();
  {
    OpenedKey first(context, sources[0], kRead);
    if (!first.bloom()) return first.refuse();
    if (!check_sources(context, sources, creating ? *first.bloom() : *into.bloom())) return kOk;
  }
  if (creating)
    if (const char* wrong = begin_with(context, into, sources[0])) return api.reply_error(context, wrong);
  bool changed = creating;
  for (String* name : sources) {
    OpenedKey source(context, name, kRead);
    changed |= merge_one(*into.bloom(), *source.bloom());
  }
  return changed ? reply_changed(context, into, "bloom.merge") : api.reply_simple(context, "OK");
}

int reset(Context* context, Arguments arguments) {
  OpenedKey key(context, arguments[1], kRead | kWrite);
  Bloom* bloom = key.counting() ? static_cast<Bloom*>(key.counting()) : key.bloom();
  if (!bloom) return key.refuse();
  if (bloom->info().filters == 1 && bloom->info().items == 0 && bloom->estimate() == 0) return api.reply_simple(context, "OK");
  if (!bloom->reset()) return reply_text(context, "out of memory");
  return reply_changed(context, key, "bloom.reset");
}

int fold(Context* context, Arguments arguments) {
  if (arguments.size() > 3) return api.wrong_arity(context);
  long long by = 2;
  if (arguments.size() == 3 && (api.string_to_integer(arguments[2], &by) != kOk || by < 2))
    return reply_text(context, "the divisor must be an integer from 2 on");
  OpenedKey key(context, arguments[1], kRead | kWrite);
  if (!key.bloom()) return key.refuse();
  if (!key.native() || key.native()->windowed()) return reply_text(context, "only filters of layout blocked can be folded");
  const std::string wrong = key.native()->fold(static_cast<std::uint64_t>(by));
  return wrong.empty() ? reply_changed(context, key, "bloom.fold") : reply_text(context, wrong);
}

// Nobody needs to call it: additions do, and this is what they tell replicas and files.
int turn(Context* context, Arguments arguments) {
  long long when_ms = 0;
  if (api.string_to_integer(arguments[2], &when_ms) != kOk || when_ms < 0 || when_ms > kEndOfTimeMs)
    return reply_text(context, "the time must be in milliseconds since 1970");
  OpenedKey key(context, arguments[1], kRead | kWrite);
  if (!key.bloom()) return key.refuse();
  if (!key.native() || key.native()->clock().length_ms == 0) return reply_text(context, "the filter has no window of time");
  if (!key.native()->turn(when_ms)) return api.reply_simple(context, "OK");
  return reply_changed(context, key, "bloom.turn");
}

int count_delete(Context* context, Arguments arguments) {
  OpenedKey key(context, arguments[1], kRead | kWrite);
  if (!key.counting()) return key.refuse();
  if (!key.counting()->erase(view(arguments[2]))) return api.reply_bool(context, 0);
  key.changed("bloom.del");
  api.replicate_verbatim(context);
  return api.reply_bool(context, 1);
}

}  // namespace bloomery::redis
