// How a filter is made: as the settings say where the command does not.
#pragma once
#include <memory>

#include "redis/bloom.hpp"
#include "redis/commands.hpp"
#include "redis/config.hpp"
#include "redis/key.hpp"
#include "redis/words.hpp"

namespace bloomery::redis {

enum class Family : std::uint8_t { bloom, counting };  // BF and CBF

struct Recipe {
  // What is replicated and what is in files says all: settings of this server are for its own clients.
  Recipe(Context* context, Family family_of_command) noexcept
      : family(family_of_command), blocked(config.blocked && !obeys(context)) {}
  // Is the command a master's or a file's, and not a client's?
  static bool obeys(Context* context) noexcept {
    return api.get_context_flags(context) & (kContextReplicated | kContextLoading);
  }

  Family family;
  double error_rate = config.error_rate;
  std::uint64_t capacity = config.initial_size;
  std::uint32_t expansion = config.expansion;
  bool blocked;
  bool windowed = false;             // over the last `capacity` items
  std::uint64_t window_seconds = 0;  // or those of the last while
  enum class GivesWay : std::uint8_t { unsaid, window, rate } gives_way = GivesWay::unsaid;  // where more come
  std::uint64_t began_ms = 0;  // its first generation; 0: now
  long long seconds = 0;       // to live; 0: for ever
};

// How large a filter may become by this command, and what is said where it would be larger.
constexpr const char* kOverLimit = "ERR the filter would exceed the setting bf.memory-limit";
std::uint64_t most_bytes(Context* context) noexcept;

// Null: done, the key holds it, and the recipe says when it began. Else the error.
const char* make(Context* context, OpenedKey& key, Recipe& recipe) noexcept;

// Parsers. Null: done. Else what is wrong.
bool parse_expansion(const String* text, std::uint32_t& expansion) noexcept;
bool parse_capacity(const String* text, std::uint64_t& capacity) noexcept;
const char* parse_rate_and_capacity(Arguments arguments, Recipe& recipe) noexcept;
const char* parse_layout(const String* text, Recipe& recipe) noexcept;
const char* parse_window(const String* text, Recipe& recipe) noexcept;
const char* parse_window_seconds(const String* text, Recipe& recipe) noexcept;
const char* parse_full(const String* text, Recipe& recipe) noexcept;
const char* parse_began(const String* text, Recipe& recipe) noexcept;
const char* parse_seconds(const String* text, Recipe& recipe) noexcept;

// What a replica is told, so that it makes the same.
void replicate_reserve(Context* context, String* key, const Recipe& recipe);
void replicate_creation(Context* context, String* key, const Recipe& recipe, Arguments added);
// Sets how long a new key lives, and tells. To be called after the key's creation was replicated.
void expire(Context* context, const OpenedKey& key, String* name, const Recipe& recipe);

}  // namespace bloomery::redis
