// Commands that ask. None changes anything.
#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "redis/commands.hpp"
#include "redis/key.hpp"
#include "redis/native.hpp"

namespace bloomery::redis {
namespace {

// A key without a filter has none of the items, whatever else it may hold.
int reply_maybe(Context* context, const Bloom* bloom, const String* item) {
  return api.reply_bool(context, bloom && bloom->may_contain(view(item)));
}

int reply_maybes(Context* context, const Bloom* bloom, Arguments items) {
  const auto keys = views(items);
  const auto maybe = std::make_unique<bool[]>(keys.size());
  if (bloom) bloom->may_contain(keys, std::span(maybe.get(), keys.size()));
  api.reply_array(context, static_cast<long>(keys.size()));
  for (std::size_t i = 0; i < keys.size(); ++i) api.reply_bool(context, maybe[i]);
  return kOk;
}

struct Field {
  const char* word;
  const char* title;
  void (*reply)(Context*, const Info&);
};

template <std::uint64_t Info::* member>
void reply_member(Context* context, const Info& info) {
  api.reply_integer(context, static_cast<long long>(info.*member));
}

void reply_expansion(Context* context, const Info& info) {
  if (info.expansion == 0) {
    api.reply_null(context);
  } else {
    api.reply_integer(context, info.expansion);
  }
}

// These five in this order, and never another: there are clients that stop at a name they do not know.
constexpr Field kFields[] = {{"CAPACITY", "Capacity", reply_member<&Info::capacity>},
                             {"SIZE", "Size", reply_member<&Info::size_bytes>},
                             {"FILTERS", "Number of filters", reply_member<&Info::filters>},
                             {"ITEMS", "Number of items inserted", reply_member<&Info::items>},
                             {"EXPANSION", "Expansion rate", reply_expansion}};

// One field alone: a map of one in RESP3, but only its value, in an array, in RESP2.
int reply_field(Context* context, const Field& field, const Info& info) {
  if (api.get_context_flags(context) & kContextResp3) {
    api.reply_map(context, 1);
    api.reply_simple(context, field.title);
  } else {
    api.reply_array(context, 1);
  }
  field.reply(context, info);
  return kOk;
}

struct Pair {
  const char* title;
  std::uint64_t number;
  const char* text = nullptr;  // in its place
};

int reply_pairs(Context* context, std::span<const Pair> pairs) {
  api.reply_map(context, static_cast<long>(pairs.size()));
  for (const Pair& pair : pairs) {
    api.reply_simple(context, pair.title);
    if (pair.text) {
      api.reply_simple(context, pair.text);
    } else {
      api.reply_integer(context, static_cast<long long>(pair.number));
    }
  }
  return kOk;
}

// Only on request, as all that RedisBloom does not tell.
int reply_window(Context* context, const Native* native) {
  if (!native || !native->windowed()) return api.reply_error(context, "ERR the filter has no window");
  const WindowClock& clock = native->clock();
  if (clock.length_ms == 0) {
    const Pair pairs[] = {{"Window", 0, "items"}, {"Length", native->info().capacity}};
    return reply_pairs(context, pairs);
  }
  const Pair pairs[] = {{"Window", 0, "seconds"},
                        {"Length", clock.seconds()},
                        {"Gives way", 0, native->rate_gives_way() ? "rate" : "window"},
                        {"Items needed", native->items_needed()},
                        {"Generation began", clock.began_ms}};
  return reply_pairs(context, pairs);
}

}  // namespace

int exists(Context* context, Arguments arguments) {
  const OpenedKey key(context, arguments[1], kRead);
  return reply_maybe(context, key.bloom(), arguments[2]);
}

int mexists(Context* context, Arguments arguments) {
  const OpenedKey key(context, arguments[1], kRead);
  return reply_maybes(context, key.bloom(), arguments.subspan(2));
}

int info(Context* context, Arguments arguments) {
  if (arguments.size() > 3) return api.wrong_arity(context);
  OpenedKey key(context, arguments[1], kRead);
  if (!key.bloom()) return key.refuse();
  const Info info = key.bloom()->info();
  if (arguments.size() == 3) {
    if (same_word(view(arguments[2]), "WINDOW")) return reply_window(context, key.native());
    const auto field = std::ranges::find_if(kFields, [&](const Field& f) { return same_word(view(arguments[2]), f.word); });
    if (field == std::end(kFields)) return api.reply_error(context, "Invalid information value");
    return reply_field(context, *field, info);
  }
  api.reply_map(context, std::size(kFields));
  for (const Field& field : kFields) {
    api.reply_simple(context, field.title);
    field.reply(context, info);
  }
  return kOk;
}

int card(Context* context, Arguments arguments) {
  if (arguments.size() > 3) return api.wrong_arity(context);
  const bool estimate = arguments.size() == 3;
  if (estimate && !same_word(view(arguments[2]), "ESTIMATE")) return api.reply_error(context, "Unknown argument received");
  OpenedKey key(context, arguments[1], kRead);
  if (key.missing()) return api.reply_integer(context, 0);
  if (!key.bloom()) return key.refuse();
  if (!estimate) return api.reply_integer(context, static_cast<long long>(key.bloom()->info().items));
  const double items = key.bloom()->estimate();
  return items < 0 ? api.reply_null(context) : api.reply_integer(context, std::llround(items));
}

int debug(Context* context, Arguments arguments) {
  OpenedKey key(context, arguments[1], kRead);
  if (!key.bloom()) return key.refuse();
  std::vector<std::string> lines = key.bloom()->describe();
  lines.insert(lines.begin(), "size:" + std::to_string(key.bloom()->info().items));
  api.reply_array(context, static_cast<long>(lines.size()));
  for (const std::string& line : lines) api.reply_string(context, line.data(), line.size());
  return kOk;
}

int count_exists(Context* context, Arguments arguments) {
  const OpenedKey key(context, arguments[1], kRead);
  return reply_maybe(context, key.counting(), arguments[2]);
}

int count_mexists(Context* context, Arguments arguments) {
  const OpenedKey key(context, arguments[1], kRead);
  return reply_maybes(context, key.counting(), arguments.subspan(2));
}

int count_count(Context* context, Arguments arguments) {
  OpenedKey key(context, arguments[1], kRead);
  return api.reply_integer(context, key.counting() ? static_cast<long long>(key.counting()->count(view(arguments[2]))) : 0);
}

int count_info(Context* context, Arguments arguments) {
  OpenedKey key(context, arguments[1], kRead);
  if (!key.counting()) return key.refuse();
  const Info info = key.counting()->info();
  const Pair pairs[] = {{"Capacity", info.capacity},
                        {"Size", info.size_bytes},
                        {"Number of items", info.items},
                        {"Bits of a counter", key.counting()->counter_bits()}};
  return reply_pairs(context, pairs);
}

}  // namespace bloomery::redis
