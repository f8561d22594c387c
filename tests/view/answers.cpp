#include "answers.hpp"

#include "bloomery/view.hpp"

void VIEW_ANSWERS(const bloomery::Shape& shape, bloomery::ConstBytes bytes, std::span<const bloomery::Hash> keys,
                  bool* out) {
  const bloomery::BlockedView view(shape, bytes);
  for (std::size_t i = 0; i < keys.size(); ++i) {
    view.prefetch(keys[i]);
    out[i] = view.may_contain(keys[i]);
    // A word is the hash that is made of it; only one of the two answers is asked for here.
    if (keys[i] == bloomery::Hash::from_u64(keys[i].lo)) out[i] = view.may_contain(keys[i].lo);
  }
}
