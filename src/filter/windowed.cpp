// What only windowed filters do.
#include "bloomery/layout/windowed.hpp"
#include "filter/rep.hpp"

namespace bloomery {

Result<void> Filter::begin_generation() {
  if (kind() != Kind::windowed) return Error{Errc::not_supported, "only a windowed filter has generations"};
  if (rep_->read_only()) return Error{Errc::not_supported, "this filter is read-only: clone() it to change it"};
  Windowed::begin_generation(rep_->segments[0].shape, rep_->writable(0));
  return {};
}

}  // namespace bloomery
