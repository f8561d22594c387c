// THE list of layouts. Adding one: its header, a value of Kind, and its name here.
#pragma once
#include <cstdlib>
#include <tuple>
#include <utility>

#include "bloomery/layout/blocked.hpp"
#include "bloomery/layout/classic.hpp"
#include "bloomery/layout/counting.hpp"
#include "bloomery/layout/exact.hpp"
#include "bloomery/layout/fuse.hpp"
#include "bloomery/layout/ribbon.hpp"
#include "bloomery/layout/windowed.hpp"

namespace bloomery {

using Layouts = std::tuple<Classic, Blocked, Exact, Counting, Fuse, Ribbon, Windowed>;

// Calls visit(L{}) for the layout of this kind; returns false when there is none.
template <class Visit>
bool visit_layout(Kind kind, Visit&& visit) {
  return [&]<class... L>(std::tuple<L...>*) {
    return ((L::kind == kind ? (static_cast<void>(visit(L{})), true) : false) || ...);
  }(static_cast<Layouts*>(nullptr));
}

// visit(L{}) and its result. REQUIRES: the kind is in the list (a checked Shape's is).
template <class R, class Visit>
R with_layout(Kind kind, Visit&& visit) {
  R result{};
  visit_layout(kind, [&](auto layout) { result = visit(layout); });
  return result;
}

}  // namespace bloomery
