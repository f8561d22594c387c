#include "redis/recipe.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <string>

#include "redis/chain.hpp"
#include "redis/clock.hpp"
#include "redis/native.hpp"

namespace bloomery::redis {
namespace {

constexpr const char* kNoMemory = "ERR Insufficient memory to create filter";
constexpr long long kMaxSeconds = WindowClock::kMaxSeconds;

std::string digits(double value) {
  std::array<char, 32> text;
  return {text.data(), static_cast<std::size_t>(std::snprintf(text.data(), text.size(), "%.17g", value))};
}

void add_growth(Words& words, const Recipe& recipe) {
  if (recipe.family == Family::counting) return;
  if (recipe.expansion == 0) return words.add("NONSCALING");
  words.add("EXPANSION");
  words.add(std::to_string(recipe.expansion));
}

bool rate_gives_way(const Recipe& recipe) noexcept { return recipe.gives_way == Recipe::GivesWay::rate; }

void add_window(Words& words, const Recipe& recipe) {
  words.add("WINDOW");
  if (recipe.window_seconds == 0) return words.add("ITEMS");
  words.add("SECONDS");
  words.add(std::to_string(recipe.window_seconds));
  words.add("FULL");
  words.add(rate_gives_way(recipe) ? "RATE" : "WINDOW");
  words.add("BEGAN");
  words.add(std::to_string(recipe.began_ms));
}

void add_layout(Words& words, const Recipe& recipe) {
  if (recipe.windowed) return add_window(words, recipe);
  if (!recipe.blocked || recipe.family == Family::counting) return;  // a file of compatible filters is RedisBloom's too
  words.add("LAYOUT");
  words.add("BLOCKED");
}

// Sizes are known only once it is made; its pages are untouched until then.
std::unique_ptr<Value> build(const Recipe& recipe, std::uint64_t& size_bytes) noexcept {
  std::unique_ptr<Bloom> bloom;
  if (recipe.family == Family::counting)
    bloom = Native::create(Kind::counting, recipe.error_rate, recipe.capacity, 0);
  else if (recipe.window_seconds != 0)
    bloom = Native::create_timed(recipe.error_rate, recipe.capacity, rate_gives_way(recipe),
                                 WindowClock::of(recipe.window_seconds, recipe.began_ms));
  else if (recipe.windowed)
    bloom = Native::create(Kind::windowed, recipe.error_rate, recipe.capacity, 0);
  else if (recipe.blocked)
    bloom = Native::create(Kind::blocked, recipe.error_rate, recipe.capacity, recipe.expansion);
  else
    bloom = Chain::create(recipe.error_rate, recipe.capacity, recipe.expansion);
  if (bloom) size_bytes = bloom->info().size_bytes;
  return bloom;
}

}  // namespace

std::uint64_t most_bytes(Context* context) noexcept {
  return config.memory_limit == 0 || Recipe::obeys(context) ? kNoLimit : config.memory_limit;
}

const char* make(Context* context, OpenedKey& key, Recipe& recipe) noexcept {
  if (recipe.error_rate > kMaxErrorRate)
    api.log(context, "warning", "error rate %g is taken as %g", recipe.error_rate, kMaxErrorRate);
  if ((recipe.blocked || recipe.windowed || recipe.family == Family::counting) && recipe.error_rate < Native::kMinErrorRate)
    return "ERR error rate must be at least 6e-18 in layout blocked, in windows and when counting";
  if (recipe.window_seconds != 0 && recipe.began_ms == 0)
    recipe.began_ms = static_cast<std::uint64_t>(std::max(unix_ms(), 1LL));
  std::uint64_t size_bytes = 0;
  auto value = build(recipe, size_bytes);
  if (!value) return kNoMemory;
  if (size_bytes > most_bytes(context)) return kOverLimit;
  key.create(std::move(value));
  return nullptr;
}

bool parse_expansion(const String* text, std::uint32_t& expansion) noexcept {
  long long value = 0;
  if (api.string_to_integer(text, &value) != kOk || value < 0 || value > static_cast<long long>(kMaxExpansion))
    return false;
  expansion = static_cast<std::uint32_t>(value);
  return true;
}

bool parse_capacity(const String* text, std::uint64_t& capacity) noexcept {
  long long value = 0;
  if (api.string_to_integer(text, &value) != kOk || value < 1 || value > static_cast<long long>(kMaxCapacity))
    return false;
  capacity = static_cast<std::uint64_t>(value);
  return true;
}

const char* parse_rate_and_capacity(Arguments arguments, Recipe& recipe) noexcept {
  if (api.string_to_double(arguments[2], &recipe.error_rate) != kOk) return "ERR bad error rate";
  if (!(recipe.error_rate > 0 && recipe.error_rate < 1))
    return "ERR error rate must be in the range (0.000000, 1.000000)";
  long long capacity = 0;
  if (api.string_to_integer(arguments[3], &capacity) != kOk) return "ERR bad capacity";
  if (!parse_capacity(arguments[3], recipe.capacity)) return "ERR capacity must be in the range [1, 1073741824]";
  return nullptr;
}

const char* parse_layout(const String* text, Recipe& recipe) noexcept {
  recipe.blocked = same_word(view(text), "BLOCKED");
  return recipe.blocked || same_word(view(text), "COMPATIBLE") ? nullptr : "ERR layout must be COMPATIBLE or BLOCKED";
}

const char* parse_window(const String* text, Recipe& recipe) noexcept {
  recipe.windowed = same_word(view(text), "ITEMS") || same_word(view(text), "SECONDS");
  return recipe.windowed ? nullptr : "ERR window must be ITEMS or SECONDS";
}

const char* parse_window_seconds(const String* text, Recipe& recipe) noexcept {
  long long value = 0;
  if (api.string_to_integer(text, &value) != kOk || value < 1 || value > kMaxSeconds)
    return "ERR WINDOW SECONDS must be in the range [1, 4294967295]";
  recipe.window_seconds = static_cast<std::uint64_t>(value);
  return nullptr;
}

const char* parse_full(const String* text, Recipe& recipe) noexcept {
  const bool rate = same_word(view(text), "RATE");
  recipe.gives_way = rate ? Recipe::GivesWay::rate : Recipe::GivesWay::window;
  return rate || same_word(view(text), "WINDOW") ? nullptr : "ERR FULL must be WINDOW or RATE";
}

const char* parse_began(const String* text, Recipe& recipe) noexcept {
  long long value = 0;
  if (api.string_to_integer(text, &value) != kOk || value < 1 || value > kEndOfTimeMs)
    return "ERR BEGAN must be a time in milliseconds since 1970";
  recipe.began_ms = static_cast<std::uint64_t>(value);
  return nullptr;
}

const char* parse_seconds(const String* text, Recipe& recipe) noexcept {
  if (api.string_to_integer(text, &recipe.seconds) != kOk || recipe.seconds < 1 || recipe.seconds > kMaxSeconds)
    return "ERR EX must be in the range [1, 4294967295]";
  return nullptr;
}

void replicate_reserve(Context* context, String* key, const Recipe& recipe) {
  Words words(context);
  words.add(key);
  words.add(digits(recipe.error_rate));
  words.add(std::to_string(recipe.capacity));
  add_growth(words, recipe);
  add_layout(words, recipe);
  words.send(recipe.family == Family::counting ? "CBF.RESERVE" : "BF.RESERVE");
}

// An absolute time: replicas and files hear of it later.
void expire(Context* context, const OpenedKey& key, String* name, const Recipe& recipe) {
  if (recipe.seconds == 0) return;
  const long long when_ms = unix_ms() + 1000 * recipe.seconds;
  key.expire_at(when_ms);
  Words words(context);
  words.add(name);
  words.add(std::to_string(when_ms));
  words.send("PEXPIREAT");
}

void replicate_creation(Context* context, String* key, const Recipe& recipe, Arguments added) {
  Words words(context);
  words.add(key);
  words.add("CAPACITY");
  words.add(std::to_string(recipe.capacity));
  words.add("ERROR");
  words.add(digits(recipe.error_rate));
  add_growth(words, recipe);
  add_layout(words, recipe);
  words.add("ITEMS");
  words.add(added);
  words.send("BF.INSERT");
}

}  // namespace bloomery::redis
