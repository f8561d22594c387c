// The border that exceptions do not cross: what the standard containers throw becomes an Error.
#pragma once
#include <new>

#include "bloomery/result.hpp"

namespace bloomery {

// work() and its Result; Errc::no_memory where an allocation inside it failed.
template <class Work>
auto guarded(Work&& work) noexcept -> decltype(work()) {
  try {
    return work();
  } catch (const std::bad_alloc&) {
    return Error{Errc::no_memory, "no memory"};  // short enough to need none
  }
}

}  // namespace bloomery
