// What only windowed filters do.
#include "bloomery/layout/windowed.hpp"

#include <algorithm>
#include <array>

#include "filter/rep.hpp"
#include "kernels/windowed_batch.hpp"

namespace bloomery {

Result<void> Filter::begin_generation() {
  if (kind() != Kind::windowed) return Error{Errc::not_supported, "only a windowed filter has generations"};
  if (rep_->read_only()) return Error{Errc::not_supported, "this filter is read-only: clone() it to change it"};
  Windowed::begin_generation(rep_->segments[0].shape, rep_->writable(0));
  return {};
}

std::uint64_t Filter::may_contain_after(std::uint64_t turns, std::span<const Hash> keys, std::span<bool> out) const noexcept {
  if (turns == 0 || kind() != Kind::windowed) return may_contain(keys, out);
  return kernels::may_contain_windowed(rep_->segments[0].shape, rep_->segments[0].bytes, keys, out.data(), turns);
}

std::uint64_t Filter::may_contain_after(std::uint64_t turns, std::span<const std::string_view> keys,
                                        std::span<bool> out) const noexcept {
  if (turns == 0 || !rep_->hashable()) return may_contain(keys, out);
  constexpr std::size_t kBlock = 256;
  std::array<Hash, kBlock> hashes;
  std::uint64_t maybes = 0;
  for (std::size_t at = 0; at < keys.size(); at += kBlock) {
    const auto block = keys.subspan(at, std::min(kBlock, keys.size() - at));
    const auto hashed = std::span(hashes).first(block.size());
    rep_->hasher(block, hashed);
    maybes += may_contain_after(turns, std::span<const Hash>(hashed), out.subspan(at, block.size()));
  }
  return maybes;
}

}  // namespace bloomery
