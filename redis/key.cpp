#include "redis/key.hpp"

#include <strings.h>

#include <algorithm>

#include "redis/blm_types.hpp"
#include "redis/chain.hpp"
#include "redis/chain_type.hpp"
#include "redis/native.hpp"

namespace bloomery::redis {

OpenedKey::OpenedKey(Context* context, String* name, int mode) noexcept
    : context_(context), name_(name), key_(api.open_key(context, name, mode)) {
  const Type* type = key_ ? api.value_type(key_) : nullptr;
  if (type) {
    take(api.value(key_), type);
  } else {  // one of the server's own, or nothing
    missing_ = !key_ || api.key_type(key_) == kKeyEmpty;
  }
}

void OpenedKey::take(void* kept, const Type* type) noexcept {
  if (type == chain_type || type == blocked_type || type == windowed_type) bloom_ = static_cast<Bloom*>(static_cast<Value*>(kept));
  if (type == counting_type) counting_ = static_cast<Native*>(static_cast<Value*>(kept));
}

OpenedKey::~OpenedKey() {
  if (key_) api.close_key(key_);
}

Chain* OpenedKey::chain() const noexcept { return dynamic_cast<Chain*>(bloom_); }

Native* OpenedKey::native() const noexcept { return dynamic_cast<Native*>(bloom_); }

void OpenedKey::create(std::unique_ptr<Value> value) noexcept {
  Type* type = value->type();
  Value* kept = value.release();
  missing_ = false;
  api.set_value(key_, type, kept);
  take(kept, type);
}

bool register_types(Context* context) noexcept { return register_chain_type(context) && register_blm_types(context); }

std::vector<std::string_view> views(std::span<String* const> strings) {
  std::vector<std::string_view> out(strings.size());
  std::ranges::transform(strings, out.begin(), view);
  return out;
}

bool same_word(std::string_view text, std::string_view word) noexcept {
  return text.size() == word.size() && strncasecmp(text.data(), word.data(), word.size()) == 0;
}

}  // namespace bloomery::redis
