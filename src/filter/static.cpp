// Filters that are built from all their keys at once.
#include <string>
#include <utility>

#include "filter/rep.hpp"
#include "layout/layouts.hpp"

namespace bloomery {

bool Filter::Rep::is_static(Kind kind) noexcept {
  return with_layout<bool>(kind, [&]<class L>(L) { return Buildable<L> && L::kind != Kind::exact; });
}

Error Filter::Rep::static_error(Kind kind) {
  return {Errc::not_supported, "kind " + std::string(name(kind)) + " is static: build it anew from all its keys"};
}

Result<Filter> Filter::build_static(const Plan& plan, const Hasher& hasher, std::span<const Hash> keys) {
  if (auto checked = hasher.check(); !checked) return checked.error();
  auto rep = std::make_unique<Rep>();
  rep->hasher = hasher;
  rep->stored_key = hasher.stored_key();
  Segment segment{.shape = plan.shape,
                  .planned_keys = plan.keys,
                  .planned_fpr = plan.asked_fpr > 0 ? plan.asked_fpr : plan.fpr,
                  .bytes = {}};
  auto memory = Result<Memory>(Memory{});
  auto built = Result<std::uint64_t>(std::uint64_t{0});
  visit_layout(plan.shape.kind, [&]<class L>(L) {
    if constexpr (Buildable<L>) {
      if (auto checked = L::check(plan.shape); !checked) return static_cast<void>(built = checked.error());
      memory = Memory::zeroed(L::build_bytes(plan.shape, keys.size()));
      if (!memory) return;
      built = L::build(segment.shape, memory->bytes(), keys);
      if (!built) return;
      if (auto done = memory->shrink(L::size_bytes(segment.shape)); !done) built = done.error();
    }
  });
  if (!memory) return memory.error();
  if (!built) return built.error();
  segment.keys_inserted = *built;
  rep->counts = {.offered = keys.size(), .inserted = segment.keys_inserted};
  rep->add(segment, std::move(*memory));
  return Filter(std::move(rep));
}

}  // namespace bloomery
