// Commands that make filters and add to them. What is replicated is what has changed, in words that mean the same
// wherever they are heard: a filter made from the settings of this server is made with these very numbers there.
#include <array>
#include <optional>
#include <string>
#include <vector>

#include "redis/chain.hpp"
#include "redis/commands.hpp"
#include "redis/config.hpp"
#include "redis/key.hpp"

namespace bloomery::redis {
namespace {

struct Recipe {
  double error_rate = config.error_rate;
  std::uint64_t capacity = config.initial_size;
  std::uint32_t expansion = config.expansion;
};

std::unique_ptr<Bloom> make(Context* context, const Recipe& recipe) {
  if (recipe.error_rate > kMaxErrorRate)
    api.log(context, "warning", "error rate %g is taken as %g", recipe.error_rate, kMaxErrorRate);
  return Chain::create(recipe.error_rate, recipe.capacity, recipe.expansion);
}

// Parsers: a text is what is wrong.
using Complaint = const char*;

bool parse_expansion(const String* text, std::uint32_t& expansion) {
  long long value = 0;
  if (api.string_to_integer(text, &value) != kOk || value < 0 || value > static_cast<long long>(kMaxExpansion))
    return false;
  expansion = static_cast<std::uint32_t>(value);
  return true;
}

bool parse_capacity(const String* text, std::uint64_t& capacity) {
  long long value = 0;
  if (api.string_to_integer(text, &value) != kOk || value < 1 || value > static_cast<long long>(kMaxCapacity))
    return false;
  capacity = static_cast<std::uint64_t>(value);
  return true;
}

Complaint parse_rate_and_capacity(Arguments arguments, Recipe& recipe) {
  if (api.string_to_double(arguments[2], &recipe.error_rate) != kOk) return "ERR bad error rate";
  if (!(recipe.error_rate > 0 && recipe.error_rate < 1))
    return "ERR error rate must be in the range (0.000000, 1.000000)";
  long long capacity = 0;
  if (api.string_to_integer(arguments[3], &capacity) != kOk) return "ERR bad capacity";
  if (!parse_capacity(arguments[3], recipe.capacity)) return "ERR capacity must be in the range [1, 1073741824]";
  return nullptr;
}

// Words that are not known are passed over, as they always were.
Complaint parse_growth(Arguments words, Recipe& recipe) {
  bool fixed = false;
  std::optional<long long> expansion;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (same_word(view(words[i]), "NONSCALING")) {
      fixed = true;
    } else if (same_word(view(words[i]), "EXPANSION")) {
      if (++i == words.size()) return "ERR no expansion";
      if (api.string_to_integer(words[i], &expansion.emplace()) != kOk) return "ERR bad expansion";
    }
  }
  if (fixed && expansion.value_or(0) != 0) return "Nonscaling filters cannot expand";
  if (expansion && (*expansion < 0 || *expansion > static_cast<long long>(kMaxExpansion)))
    return "ERR expansion must be in the range [0, 32768]";
  if (fixed || expansion) recipe.expansion = static_cast<std::uint32_t>(expansion.value_or(0));
  return nullptr;
}

// Strings of our own, for a command that is replicated.
class Words {
 public:
  explicit Words(Context* context) : context_(context) {}
  ~Words() {
    for (String* string : own_) api.free_string(context_, string);
  }
  Words(const Words&) = delete;
  Words& operator=(const Words&) = delete;

  void add(std::string_view text) {
    own_.reserve(own_.size() + 1);
    own_.push_back(api.create_string(context_, text.data(), text.size()));
    all_.push_back(own_.back());
  }
  void add(String* string) { all_.push_back(string); }
  void add(Arguments strings) { all_.insert(all_.end(), strings.begin(), strings.end()); }
  void send(const char* command) { api.replicate(context_, command, "v", all_.data(), all_.size()); }

 private:
  Context* context_;
  std::vector<String*> own_, all_;
};

std::string digits(double value) {
  std::array<char, 32> text;
  return {text.data(), static_cast<std::size_t>(std::snprintf(text.data(), text.size(), "%.17g", value))};
}

void add_growth(Words& words, const Recipe& recipe) {
  if (recipe.expansion == 0) return words.add("NONSCALING");
  words.add("EXPANSION");
  words.add(std::to_string(recipe.expansion));
}

void replicate_reserve(Context* context, String* key, const Recipe& recipe) {
  Words words(context);
  words.add(key);
  words.add(digits(recipe.error_rate));
  words.add(std::to_string(recipe.capacity));
  add_growth(words, recipe);
  words.send("BF.RESERVE");
}

void replicate_creation(Context* context, String* key, const Recipe& recipe, Arguments fresh) {
  Words words(context);
  words.add(key);
  words.add("CAPACITY");
  words.add(std::to_string(recipe.capacity));
  words.add("ERROR");
  words.add(digits(recipe.error_rate));
  add_growth(words, recipe);
  words.add("ITEMS");
  words.add(fresh);
  words.send("BF.INSERT");
}

void reply_added(Context* context, Added added) {
  switch (added) {
    case Added::repeat: api.reply_bool(context, 0); break;
    case Added::fresh: api.reply_bool(context, 1); break;
    case Added::full: api.reply_error(context, "ERR non scaling filter is full"); break;
    case Added::no_memory: api.reply_error(context, "ERR problem inserting into filter"); break;
  }
}

struct Outcome {
  std::size_t answered = 0;
  std::vector<String*> fresh;
};

// Adds in groups that fit on the stack, and answers as it goes.
Outcome add_and_reply(Context* context, Bloom& bloom, Arguments items) {
  constexpr std::size_t kGroup = 64;
  std::array<std::string_view, kGroup> keys;
  std::array<Added, kGroup> added;
  Outcome outcome;
  outcome.fresh.reserve(items.size());  // here, where failing has changed nothing yet
  while (outcome.answered < items.size()) {
    const Arguments group = items.subspan(outcome.answered, std::min(kGroup, items.size() - outcome.answered));
    for (std::size_t i = 0; i < group.size(); ++i) keys[i] = view(group[i]);
    const std::size_t tried = bloom.add(std::span(keys).first(group.size()), std::span(added).first(group.size()));
    for (std::size_t i = 0; i < tried; ++i) {
      reply_added(context, added[i]);
      if (added[i] == Added::fresh) outcome.fresh.push_back(group[i]);
    }
    outcome.answered += tried;
    if (added[tried - 1] == Added::full) break;
  }
  return outcome;
}

struct Request {
  Arguments items = {};
  Recipe recipe = {};
  bool no_create = false;
  bool single = false;  // the reply is one answer, not an array
};

void replicate_items(Context* context, String* name, const Request& request, std::vector<String*>& fresh) {
  if (fresh.size() == request.items.size()) {
    api.replicate_verbatim(context);
  } else {
    api.replicate(context, "BF.MADD", "sv", name, fresh.data(), fresh.size());
  }
}

int add_to(Context* context, String* name, const Request& request) {
  OpenedKey key(context, name, kRead | kWrite);
  if (!key.missing() && !key.bloom()) return key.refuse();
  const bool creating = key.missing();
  if (creating) {
    if (request.no_create) return key.refuse();
    auto bloom = make(context, request.recipe);
    if (!bloom) return api.reply_error(context, "ERR Insufficient memory to create filter");
    key.create(std::move(bloom));
  }
  if (!request.single) api.reply_array(context, kLengthLater);
  Outcome outcome = add_and_reply(context, *key.bloom(), request.items);
  if (!request.single) api.set_array_length(context, static_cast<long>(outcome.answered));
  if (outcome.fresh.empty()) return kOk;
  key.changed();
  if (creating) {
    replicate_creation(context, name, request.recipe, outcome.fresh);
  } else {
    replicate_items(context, name, request, outcome.fresh);
  }
  return kOk;
}

constexpr Complaint kArity = "";  // the server has its own words for that

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
    } else if (!same_word(word, "CAPACITY") && !same_word(word, "ERROR") && !same_word(word, "EXPANSION")) {
      return "Unknown argument received";
    } else if (++i == arguments.size()) {
      return kArity;
    } else if (same_word(word, "CAPACITY")) {
      if (!parse_capacity(arguments[i], request.recipe.capacity)) return "Bad capacity";
    } else if (same_word(word, "ERROR")) {
      double& rate = request.recipe.error_rate;
      if (api.string_to_double(arguments[i], &rate) != kOk || !(rate > 0 && rate < 1)) return "Bad error rate";
    } else if (!parse_expansion(arguments[i], request.recipe.expansion)) {
      return "Bad expansion";
    }
  }
  if (fixed) request.recipe.expansion = 0;
  return request.items.empty() ? kArity : nullptr;
}

}  // namespace

int reserve(Context* context, Arguments arguments) {
  if (arguments.size() > 7) return api.wrong_arity(context);
  Recipe recipe;
  if (Complaint wrong = parse_rate_and_capacity(arguments, recipe)) return api.reply_error(context, wrong);
  if (Complaint wrong = parse_growth(arguments.subspan(4), recipe)) return api.reply_error(context, wrong);
  OpenedKey key(context, arguments[1], kRead | kWrite);
  if (key.bloom()) return api.reply_error(context, "ERR item exists");
  if (!key.missing()) return key.refuse();
  auto bloom = make(context, recipe);
  if (!bloom) return api.reply_error(context, "ERR Insufficient memory to create filter");
  key.create(std::move(bloom));
  key.changed();
  replicate_reserve(context, arguments[1], recipe);
  return api.reply_simple(context, "OK");
}

int add(Context* context, Arguments arguments) {
  return add_to(context, arguments[1], {.items = arguments.subspan(2), .single = true});
}

int madd(Context* context, Arguments arguments) {
  return add_to(context, arguments[1], {.items = arguments.subspan(2)});
}

int insert(Context* context, Arguments arguments) {
  Request request;
  if (Complaint wrong = parse_insert(arguments, request))
    return wrong == kArity ? api.wrong_arity(context) : api.reply_error(context, wrong);
  return add_to(context, arguments[1], request);
}

}  // namespace bloomery::redis
