#include "layout/layouts.hpp"

namespace bloomery {

std::string_view name(Kind kind) noexcept {
  std::string_view found = "?";
  visit_layout(kind, [&]<class L>(L) { found = L::name; });
  return found;
}

std::optional<Kind> kind_from_name(std::string_view wanted) noexcept {
  return [&]<class... L>(std::tuple<L...>*) {
    std::optional<Kind> found;
    ((L::name == wanted ? static_cast<void>(found = L::kind) : static_cast<void>(0)), ...);
    return found;
  }(static_cast<Layouts*>(nullptr));
}

}  // namespace bloomery
