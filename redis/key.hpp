// A key of the database while a command works on it.
#pragma once
#include <bloomery/bits.hpp>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "redis/api.hpp"
#include "redis/bloom.hpp"

namespace bloomery::redis {

class Chain;
class Native;

constexpr const char* kWrongType = "WRONGTYPE Operation against a key holding the wrong kind of value";
constexpr const char* kNotFound = "ERR not found";

class OpenedKey {
 public:
  OpenedKey(Context* context, String* name, int mode) noexcept;
  ~OpenedKey();
  OpenedKey(const OpenedKey&) = delete;
  OpenedKey& operator=(const OpenedKey&) = delete;

  bool missing() const noexcept { return missing_; }
  Bloom* bloom() const noexcept { return bloom_; }  // null: missing, or something else
  Native* native() const noexcept;                  // null: in another layout
  Native* counting() const noexcept { return counting_; }  // never a bloom() too
  Chain* chain() const noexcept;                    // null: not in RedisBloom's layout

  // REQUIRES: opened for writing, missing().
  void create(std::unique_ptr<Value> value) noexcept;
  // Milliseconds since 1970. REQUIRES: opened for writing.
  void expire_at(long long when_ms) const noexcept { api.set_expiry_time(key_, when_ms); }

  // The reply for a key without a filter.
  int refuse() const noexcept { return api.reply_error(context_, missing_ ? kNotFound : kWrongType); }
  // Tells those who watch the key.
  void changed(const char* event) const noexcept {
    api.signal_modified_key(context_, name_);
    api.notify(context_, kNotifyGeneric, event, name_);
  }

 private:
  Context* context_;
  String* name_;
  Key* key_;
  bool missing_ = false;
  Bloom* bloom_ = nullptr;
  Native* counting_ = nullptr;

  void take(void* kept, const Type* type) noexcept;
};

// False: the server refused.
bool register_types(Context* context) noexcept;

inline std::string_view view(const String* string) noexcept {
  std::size_t size = 0;
  const char* bytes = api.string_bytes(string, &size);
  return {bytes, kept_apart(size)};
}

std::vector<std::string_view> views(std::span<String* const> strings);

// ASCII letters of either case.
bool same_word(std::string_view text, std::string_view word) noexcept;

}  // namespace bloomery::redis
