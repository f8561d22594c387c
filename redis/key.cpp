#include "redis/key.hpp"

#include <strings.h>

#include "redis/chain.hpp"
#include "redis/chain_type.hpp"

namespace bloomery::redis {

OpenedKey::OpenedKey(Context* context, String* name, int mode) noexcept
    : context_(context), name_(name), key_(api.open_key(context, name, mode)) {
  missing_ = !key_ || api.key_type(key_) == kKeyEmpty;
  if (!missing_ && api.value_type(key_) == chain_type) bloom_ = static_cast<Bloom*>(api.value(key_));
}

OpenedKey::~OpenedKey() {
  if (key_) api.close_key(key_);
}

Chain* OpenedKey::chain() const noexcept { return dynamic_cast<Chain*>(bloom_); }

void OpenedKey::create(std::unique_ptr<Bloom> bloom) noexcept {
  bloom_ = bloom.release();
  missing_ = false;
  api.set_value(key_, chain_type, bloom_);
}

bool register_types(Context* context) noexcept { return register_chain_type(context); }

bool same_word(std::string_view text, std::string_view word) noexcept {
  return text.size() == word.size() && strncasecmp(text.data(), word.data(), word.size()) == 0;
}

}  // namespace bloomery::redis
