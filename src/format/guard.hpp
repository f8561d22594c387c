// Exceptions stop here.
#pragma once
#include <new>
#include <stdexcept>
#include <utility>

#include "bloomery/result.hpp"

namespace bloomery::format {

// What `body` gives; Errc::no_memory where it ran out.
template <class Body>
auto guarded(Body&& body) -> decltype(body()) {
  try {
    return std::forward<Body>(body)();
  } catch (const std::bad_alloc&) {
    return Error{Errc::no_memory, "out of memory"};
  } catch (const std::length_error&) {
    return Error{Errc::no_memory, "out of memory"};
  }
}

}  // namespace bloomery::format
