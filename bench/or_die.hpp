// A benchmark has nobody to report errors to.
#pragma once
#include <bloomery/result.hpp>
#include <utility>

#include "pages.hpp"

namespace bench {

template <class T>
T or_die(bloomery::Result<T> result) {
  if (!result) die(result.error().message.c_str());
  return *std::move(result);
}

inline void or_die(const bloomery::Result<void>& result) {
  if (!result) die(result.error().message.c_str());
}

}  // namespace bench
