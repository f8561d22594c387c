#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>
#include <array>
#include <new>
#include <utility>

#include "bloomery/hash.hpp"
#include "hash/aes.hpp"
#include "hash/murmur3.hpp"
#include "hash/siphash.hpp"

namespace bloomery {
namespace {

// Cuts pieces of any size into the blocks of a hash function, and keeps the rest.
template <class Core>
class Blocks {
 public:
  explicit Blocks(Core core) noexcept : core_(core) {}

  void update(const std::byte* p, std::size_t size) noexcept {
    length_ += size;
    if (rest_bytes_ > 0) {
      const std::size_t missing = std::min(size, Core::kBlockBytes - rest_bytes_);
      std::copy_n(p, missing, rest_.data() + rest_bytes_);
      rest_bytes_ += missing;
      p += missing;
      size -= missing;
      if (rest_bytes_ < Core::kBlockBytes) return;
      core_.absorb(rest_.data());
    }
    for (; size >= Core::kBlockBytes; size -= Core::kBlockBytes, p += Core::kBlockBytes) core_.absorb(p);
    std::copy_n(p, size, rest_.data());
    rest_bytes_ = size;
  }

  auto finish() const noexcept { return core_.finish(rest_.data(), rest_bytes_, length_); }

 private:
  Core core_;
  std::array<std::byte, Core::kBlockBytes> rest_ = {};
  std::size_t rest_bytes_ = 0;
  std::uint64_t length_ = 0;
};

}  // namespace

struct HashStream::State {
  explicit State(const Hasher& hasher) noexcept : id(hasher.id), siphash(SipHash(hasher.key)), aes(AesHash(hasher.seed())) {
    XXH3_128bits_reset_withSeed(&xxh3, hasher.seed());
  }

  HashId id;
  XXH3_state_t xxh3 = {};  // aligned to 64 by its type
  Blocks<Murmur3> murmur3_lo{Murmur3(kArticleSeedLo)}, murmur3_hi{Murmur3(kArticleSeedHi)};
  Blocks<SipHash> siphash;
  Blocks<AesHash> aes;
};

HashStream::HashStream(std::unique_ptr<State> state) noexcept : state_(std::move(state)) {}
HashStream::HashStream(HashStream&&) noexcept = default;
HashStream& HashStream::operator=(HashStream&&) noexcept = default;
HashStream::~HashStream() = default;

Result<HashStream> HashStream::create(const Hasher& hasher) {
  if (hasher.id == HashId::precomputed)
    return Error{Errc::not_supported, "precomputed hashes have no bytes to stream"};
  std::unique_ptr<State> state(new (std::nothrow) State(hasher));
  if (!state) return Error{Errc::no_memory, "no memory"};
  return HashStream(std::move(state));
}

void HashStream::update(std::string_view piece) noexcept {
  const auto* p = reinterpret_cast<const std::byte*>(piece.data());
  switch (state_->id) {
    case HashId::xxh3: XXH3_128bits_update(&state_->xxh3, piece.data(), piece.size()); break;
    case HashId::murmur3:
      state_->murmur3_lo.update(p, piece.size());
      state_->murmur3_hi.update(p, piece.size());
      break;
    case HashId::siphash: state_->siphash.update(p, piece.size()); break;
    case HashId::aes: state_->aes.update(p, piece.size()); break;
    case HashId::precomputed: break;
  }
}

Hash HashStream::finish() const noexcept {
  switch (state_->id) {
    case HashId::xxh3: {
      const XXH128_hash_t h = XXH3_128bits_digest(&state_->xxh3);
      return {h.low64, h.high64};
    }
    case HashId::murmur3: return murmur3_pair(state_->murmur3_lo.finish(), state_->murmur3_hi.finish());
    case HashId::siphash: return state_->siphash.finish();
    case HashId::aes: return state_->aes.finish();
    case HashId::precomputed: break;
  }
  return {0, 0};
}

}  // namespace bloomery
