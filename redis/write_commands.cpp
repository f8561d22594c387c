// Commands that make filters and add to them. What is replicated is what has changed, in words that mean the same
// wherever they are heard: a filter made from the settings of this server is made with these very numbers there.
#include <algorithm>
#include <optional>
#include <vector>

#include "redis/commands.hpp"
#include "redis/key.hpp"
#include "redis/native.hpp"
#include "redis/recipe.hpp"

namespace bloomery::redis {
namespace {

using Complaint = const char*;       // what is wrong; null: nothing
constexpr Complaint kArity = "";     // the server has its own words for that

constexpr std::size_t kMaxOldWords = 3;  // of RESERVE, other than ours

// How RESERVE's options read. Words that are not known are passed over, as they always were.
struct Growth {
  bool fixed = false;
  std::optional<long long> expansion;
  std::size_t old_words = 0;
};

// Those of RESERVE that RedisBloom has not.
constexpr struct {
  const char* word;
  Complaint (*parse)(const String* value, Recipe& recipe) noexcept;
} kOwnOptions[] = {{"LAYOUT", parse_layout}, {"WINDOW", parse_window}, {"FULL", parse_full}, {"BEGAN", parse_began}, {"EX", parse_seconds}};

Complaint parse_option(Arguments words, std::size_t& i, Growth& growth, Recipe& recipe) {
  const std::string_view word = view(words[i]);
  const auto own = std::ranges::find_if(kOwnOptions, [&](const auto& option) { return same_word(word, option.word); });
  if (own != std::end(kOwnOptions)) {
    if (++i == words.size()) return kArity;
    if (Complaint wrong = own->parse(words[i], recipe)) return wrong;
    if (own->parse != parse_window || !same_word(view(words[i]), "SECONDS")) return nullptr;
    return ++i == words.size() ? kArity : parse_window_seconds(words[i], recipe);
  }
  ++growth.old_words;
  if (same_word(word, "NONSCALING")) {
    growth.fixed = true;
  } else if (same_word(word, "EXPANSION")) {
    if (++i == words.size()) return "ERR no expansion";
    ++growth.old_words;
    if (api.string_to_integer(words[i], &growth.expansion.emplace()) != kOk) return "ERR bad expansion";
  }
  return nullptr;
}

Complaint parse_options(Arguments words, Recipe& recipe) {
  Growth growth;
  for (std::size_t i = 0; i < words.size(); ++i)
    if (Complaint wrong = parse_option(words, i, growth, recipe)) return wrong;
  if (growth.old_words > kMaxOldWords) return kArity;
  if (growth.fixed && growth.expansion.value_or(0) != 0) return "Nonscaling filters cannot expand";
  if (growth.expansion && (*growth.expansion < 0 || *growth.expansion > static_cast<long long>(kMaxExpansion)))
    return "ERR expansion must be in the range [0, 32768]";
  if (recipe.windowed && growth.expansion.value_or(0) != 0) return "ERR windowed filters cannot expand";
  if (recipe.window_seconds == 0 && (recipe.gives_way != Recipe::GivesWay::unsaid || recipe.began_ms != 0))
    return "ERR FULL and BEGAN need WINDOW SECONDS";
  if (growth.fixed || growth.expansion || recipe.windowed)
    recipe.expansion = static_cast<std::uint32_t>(growth.expansion.value_or(0));
  return nullptr;
}

int reply_wrong(Context* context, Complaint wrong) {
  return wrong == kArity ? api.wrong_arity(context) : api.reply_error(context, wrong);
}

Bloom* value_in(const OpenedKey& key, Family family) noexcept {
  return family == Family::counting ? static_cast<Bloom*>(key.counting()) : key.bloom();
}

int reserve_as(Context* context, Arguments arguments, Recipe& recipe) {
  OpenedKey key(context, arguments[1], kRead | kWrite);
  if (value_in(key, recipe.family)) return api.reply_error(context, "ERR item exists");
  if (!key.missing()) return key.refuse();
  if (Complaint wrong = make(context, key, recipe)) return api.reply_error(context, wrong);
  key.changed("bloom.reserve");
  replicate_reserve(context, arguments[1], recipe);
  expire(context, key, arguments[1], recipe);
  return api.reply_simple(context, "OK");
}

void reply_added(Context* context, Added added) {
  switch (added) {
    case Added::repeat: api.reply_bool(context, 0); break;
    case Added::fresh: api.reply_bool(context, 1); break;
    case Added::full: api.reply_error(context, "ERR non scaling filter is full"); break;
    case Added::no_memory: api.reply_error(context, "ERR problem inserting into filter"); break;
    case Added::over_limit: api.reply_error(context, kOverLimit); break;
  }
}

struct Request {
  Recipe recipe;
  Arguments items = {};
  bool no_create = false;
  bool single = false;  // the reply is one answer, not an array
};

// The items of a request that have changed something.
class Effects {
 public:
  // Memory is taken here, where failing has changed nothing yet. A single one needs none: it is all or nothing.
  explicit Effects(const Request& request) : items_(request.items) {
    if (items_.size() > 1) some_.reserve(items_.size());
  }
  void add(String* item) {
    ++count_;
    if (items_.size() > 1) some_.push_back(item);
  }
  bool none() const noexcept { return count_ == 0; }
  bool all() const noexcept { return count_ == items_.size(); }
  Arguments items() noexcept { return all() ? items_ : Arguments(some_); }

 private:
  Arguments items_;
  std::size_t count_ = 0;
  std::vector<String*> some_;
};

bool has_effect(Added added, const Bloom& bloom) noexcept {
  return added == Added::fresh || (added == Added::repeat && bloom.repeats_matter());
}

void add_one(Context* context, Bloom& bloom, String* item, Effects& effects) {
  const Added added = bloom.add(view(item), most_bytes(context));
  reply_added(context, added);
  if (has_effect(added, bloom)) effects.add(item);
}

void add_many(Context* context, Bloom& bloom, Arguments items, Effects& effects) {
  const auto keys = views(items);
  std::vector<Added> added(items.size());
  const std::size_t answered = bloom.add(keys, added, most_bytes(context));
  api.reply_array(context, static_cast<long>(answered));
  for (std::size_t i = 0; i < answered; ++i) {
    reply_added(context, added[i]);
    if (has_effect(added[i], bloom)) effects.add(items[i]);
  }
}

void replicate_items(Context* context, String* name, const Request& request, Effects& effects) {
  if (effects.all()) {
    api.replicate_verbatim(context);
  } else {
    const bool counts = request.recipe.family == Family::counting;
    const Arguments items = effects.items();
    api.replicate(context, counts ? "CBF.MADD" : "BF.MADD", "sv", name, items.data(), items.size());
  }
}

void replicate_new(Context* context, String* name, const Request& request, Effects& effects) {
  const Arguments items = effects.items();
  if (request.recipe.family == Family::counting) {
    replicate_reserve(context, name, request.recipe);
    api.replicate(context, "CBF.MADD", "sv", name, items.data(), items.size());
  } else {
    replicate_creation(context, name, request.recipe, items);
  }
}

// A window of time turns here, and says so to replicas and files, which have no clock: what is added comes after.
void turn_window(Context* context, String* name, Bloom& bloom) {
  const long long due_ms = bloom.due_ms();
  if (due_ms == 0 || Recipe::obeys(context)) return;
  bloom.turn(due_ms);
  api.replicate(context, "BF.TURN", "sl", name, due_ms);
}

int add_to(Context* context, OpenedKey& key, String* name, Request request) {
  const bool creating = key.missing();
  if (!creating && !value_in(key, request.recipe.family)) return key.refuse();
  if (creating) {
    if (request.no_create) return key.refuse();
    if (Complaint wrong = make(context, key, request.recipe)) return api.reply_error(context, wrong);
  }
  Bloom& bloom = *value_in(key, request.recipe.family);
  turn_window(context, name, bloom);
  Effects effects(request);
  if (request.single) {
    add_one(context, bloom, request.items[0], effects);
  } else {
    add_many(context, bloom, request.items, effects);
  }
  if (effects.none()) return kOk;
  if (creating) {
    key.changed("bloom.reserve");
    replicate_new(context, name, request, effects);
    expire(context, key, name, request.recipe);
  } else {
    replicate_items(context, name, request, effects);
  }
  key.changed("bloom.add");
  return kOk;
}

// An option of INSERT that has a value.
Complaint parse_valued(std::string_view word, const String* value, Recipe& recipe) {
  if (same_word(word, "CAPACITY")) return parse_capacity(value, recipe.capacity) ? nullptr : "Bad capacity";
  if (same_word(word, "LAYOUT")) return parse_layout(value, recipe);
  if (same_word(word, "EX")) return parse_seconds(value, recipe);
  if (same_word(word, "EXPANSION")) return parse_expansion(value, recipe.expansion) ? nullptr : "Bad expansion";
  double& rate = recipe.error_rate;
  return api.string_to_double(value, &rate) == kOk && rate > 0 && rate < 1 ? nullptr : "Bad error rate";
}

Complaint parse_insert(Arguments arguments, Request& request) {
  bool fixed = false;
  for (std::size_t i = 2; i < arguments.size(); ++i) {
    const std::string_view word = view(arguments[i]);
    if (same_word(word, "ITEMS")) {
      request.items = arguments.subspan(i + 1);
      break;
    }
    if (same_word(word, "NOCREATE")) {
      request.no_create = true;
    } else if (same_word(word, "NONSCALING")) {
      fixed = true;
    } else {
      bool known = false;
      for (const char* name : {"CAPACITY", "ERROR", "EXPANSION", "LAYOUT", "EX"}) known |= same_word(word, name);
      if (!known) return "Unknown argument received";
      if (++i == arguments.size()) return kArity;
      if (Complaint wrong = parse_valued(word, arguments[i], request.recipe)) return wrong;
    }
  }
  if (fixed) request.recipe.expansion = 0;
  return request.items.empty() ? kArity : nullptr;
}

int add_items(Context* context, Arguments arguments, Family family) {
  OpenedKey key(context, arguments[1], kRead | kWrite);
  return add_to(context, key, arguments[1], {.recipe = Recipe(context, family), .items = arguments.subspan(2)});
}

// Most are: to a filter that is there, so without a recipe, and without memory for effects.
int add_item(Context* context, Arguments arguments, Family family) {
  OpenedKey key(context, arguments[1], kRead | kWrite);
  Bloom* const bloom = value_in(key, family);
  if (!bloom)
    return add_to(context, key, arguments[1], {.recipe = Recipe(context, family), .items = arguments.subspan(2), .single = true});
  turn_window(context, arguments[1], *bloom);
  const Added added = bloom->add(view(arguments[2]), most_bytes(context));
  reply_added(context, added);
  if (!has_effect(added, *bloom)) return kOk;
  api.replicate_verbatim(context);
  key.changed("bloom.add");
  return kOk;
}

}  // namespace

int reserve(Context* context, Arguments arguments) {
  Recipe recipe(context, Family::bloom);
  Complaint wrong = parse_rate_and_capacity(arguments, recipe);
  if (!wrong) wrong = parse_options(arguments.subspan(4), recipe);
  return wrong ? reply_wrong(context, wrong) : reserve_as(context, arguments, recipe);
}

int add(Context* context, Arguments arguments) { return add_item(context, arguments, Family::bloom); }

int madd(Context* context, Arguments arguments) { return add_items(context, arguments, Family::bloom); }

int insert(Context* context, Arguments arguments) {
  Request request = {.recipe = Recipe(context, Family::bloom)};
  if (Complaint wrong = parse_insert(arguments, request)) return reply_wrong(context, wrong);
  OpenedKey key(context, arguments[1], kRead | kWrite);
  return add_to(context, key, arguments[1], request);
}

int count_reserve(Context* context, Arguments arguments) {
  Recipe recipe(context, Family::counting);
  Complaint wrong = parse_rate_and_capacity(arguments, recipe);
  const Arguments options = arguments.subspan(4);
  if (!wrong && !options.empty()) {
    if (options.size() != 2) return api.wrong_arity(context);
    wrong = same_word(view(options[0]), "EX") ? parse_seconds(options[1], recipe) : "Unknown argument received";
  }
  return wrong ? reply_wrong(context, wrong) : reserve_as(context, arguments, recipe);
}

int count_add(Context* context, Arguments arguments) { return add_item(context, arguments, Family::counting); }

int count_madd(Context* context, Arguments arguments) { return add_items(context, arguments, Family::counting); }

}  // namespace bloomery::redis
