// The border that exceptions do not cross: what the standard containers throw becomes an Error.
#pragma once
#include "bloomery/result.hpp"

namespace bloomery {

// work() and its Result; Errc::no_memory where a container inside it found no room: bad_alloc, or a
// length_error for more than there could ever be. Nothing else is thrown here.
template <class Work>
auto guarded(Work&& work) noexcept -> decltype(work()) {
  try {
    return work();
  } catch (...) {
    return Error{Errc::no_memory, "no memory"};  // short enough to need none
  }
}

}  // namespace bloomery
