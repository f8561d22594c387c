#include "bloomery/hash.hpp"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>
#include <string>
#include <utility>

#include "hash/aes.hpp"
#include "hash/murmur3.hpp"
#include "hash/siphash.hpp"

namespace bloomery {
namespace {

constexpr std::pair<HashId, std::string_view> kNames[] = {
    {HashId::xxh3, "xxh3"},
    {HashId::murmur3, "murmur3"},
    {HashId::siphash, "siphash"},
    {HashId::aes, "aes"},
    {HashId::precomputed, "precomputed"},
};

constexpr std::string_view kKeyCheckText = "bloomery key check";

Hash hash_xxh3(std::string_view key, std::uint64_t seed) noexcept {
  const XXH128_hash_t h = XXH3_128bits_withSeed(key.data(), key.size(), seed);
  return {h.low64, h.high64};
}

Hash hash_murmur3(std::string_view key) noexcept {
  return murmur3_pair(murmur3_first_word(key, kArticleSeedLo), murmur3_first_word(key, kArticleSeedHi));
}

void put(Hash& out, Hash h) noexcept { out = {kept_apart(h.lo), h.hi}; }

void hashes_xxh3(std::span<const std::string_view> keys, std::uint64_t seed, std::span<Hash> out) noexcept {
  constexpr std::size_t kAhead = 32;  // keys whose bytes are asked for early: about 2 KB, if they are neighbours
  std::size_t i = 0;
  for (; i + kAhead < keys.size(); ++i) {
    __builtin_prefetch(keys[i + kAhead].data());
    put(out[i], hash_xxh3(keys[i], seed));
  }
  for (; i < keys.size(); ++i) put(out[i], hash_xxh3(keys[i], seed));
}

Hasher seeded_hasher(HashId id, std::uint64_t seed) noexcept {
  Hasher h{id, {}};
  store_le(h.key.data(), seed);
  return h;
}

// The bytes of a hasher's key that have no meaning for it.
std::span<const std::byte> unused_key_bytes(const Hasher& h) noexcept {
  const std::span<const std::byte> all(h.key);
  switch (h.id) {
    case HashId::xxh3:
    case HashId::aes: return all.subspan(8);
    case HashId::siphash: return {};
    default: return all;
  }
}

}  // namespace

std::string_view name(HashId id) noexcept {
  for (const auto& [known, text] : kNames)
    if (known == id) return text;
  return "?";
}

std::optional<HashId> hash_id_from_name(std::string_view wanted) noexcept {
  for (const auto& [id, text] : kNames)
    if (text == wanted) return id;
  return std::nullopt;
}

Hasher Hasher::xxh3(std::uint64_t seed) noexcept { return seeded_hasher(HashId::xxh3, seed); }
Hasher Hasher::aes(std::uint64_t seed) noexcept { return seeded_hasher(HashId::aes, seed); }

Hasher Hasher::murmur3() noexcept { return {HashId::murmur3, {}}; }
Hasher Hasher::siphash(const SecretKey& secret) noexcept { return {HashId::siphash, secret}; }
Hasher Hasher::precomputed() noexcept { return {HashId::precomputed, {}}; }

Hash Hasher::operator()(std::string_view text) const noexcept {
  switch (id) {
    case HashId::xxh3: return hash_xxh3(text, seed());
    case HashId::murmur3: return hash_murmur3(text);
    case HashId::siphash: return siphash_2_4_128(text, key);
    case HashId::aes: return aes_hash(text, seed());
    case HashId::precomputed: break;
  }
  return {0, 0};
}

void Hasher::operator()(std::span<const std::string_view> keys, std::span<Hash> out) const noexcept {
  if (id == HashId::xxh3) return hashes_xxh3(keys, seed(), out);
  if (id == HashId::aes) return aes_hashes(keys, seed(), out);
  for (std::size_t i = 0; i < keys.size(); ++i) put(out[i], (*this)(keys[i]));
}

SecretKey Hasher::stored_key() const noexcept {
  if (!secret()) return key;
  const Hash check = siphash_2_4_128(kKeyCheckText, key);
  SecretKey stored;
  store_le(stored.data(), check.lo);
  store_le(stored.data() + 8, check.hi);
  return stored;
}

Result<void> Hasher::check() const {
  if (name(id) == "?") {
    return Error{Errc::invalid_argument, "hash id " + std::to_string(static_cast<int>(id)) +
                                             " is unknown: use xxh3, murmur3, siphash, aes or precomputed"};
  }
  const auto unused = unused_key_bytes(*this);
  if (std::any_of(unused.begin(), unused.end(), [](std::byte b) { return b != std::byte{0}; }))
    return Error{Errc::invalid_argument, "hash " + std::string(name(id)) + " takes no such seed or key: leave it zero"};
  return {};
}

}  // namespace bloomery
