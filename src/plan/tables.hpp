// Tables that are made when they are first asked for, and kept.
#pragma once
#include <cstddef>
#include <type_traits>
#include <utility>

namespace bloomery::plan_model {

// Make{}(constant i) for the i below Count that is asked for at run time. Make keeps what it returns in a
// static of its own, one for each i. REQUIRES: index < Count.
template <class Table, std::size_t Count, class Make>
const Table& one_of(std::size_t index) noexcept {
  return [&]<std::size_t... I>(std::index_sequence<I...>) -> const Table& {
    using Maker = const Table& (*)();
    static constexpr Maker kMakers[] = {
        [] () -> const Table& { return Make{}(std::integral_constant<unsigned, static_cast<unsigned>(I)>{}); }...};
    return kMakers[index]();
  }(std::make_index_sequence<Count>{});
}

}  // namespace bloomery::plan_model
