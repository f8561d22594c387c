#include "core/checksum.hpp"

#include <xxhash.h>

#include <new>

namespace bloomery::core {

namespace {
XXH3_state_t* cast(void* state) noexcept { return static_cast<XXH3_state_t*>(state); }
}  // namespace

std::uint64_t checksum(ConstBytes bytes, std::uint64_t seed) noexcept {
  return XXH3_64bits_withSeed(bytes.data(), bytes.size(), seed);
}

Checksum::Checksum(std::uint64_t seed) : state_(XXH3_createState()) {
  if (!state_) throw std::bad_alloc();
  restart(seed);
}

void Checksum::Free::operator()(void* state) const noexcept { XXH3_freeState(cast(state)); }
void Checksum::restart(std::uint64_t seed) noexcept { XXH3_64bits_reset_withSeed(cast(state_.get()), seed); }

void Checksum::update(ConstBytes bytes) noexcept {
  if (!bytes.empty()) XXH3_64bits_update(cast(state_.get()), bytes.data(), bytes.size());
}

std::uint64_t Checksum::digest() const noexcept { return XXH3_64bits_digest(cast(state_.get())); }

}  // namespace bloomery::core
