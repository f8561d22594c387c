// Keys become hashes here, and only here. Everything below this line sees hashes, never keys.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>

#include "bloomery/bits.hpp"
#include "bloomery/export.h"
#include "bloomery/result.hpp"

namespace bloomery {

// A key after hashing: two 64-bit words.
struct Hash {
  std::uint64_t lo;
  std::uint64_t hi;

  // The Hash of a key that the caller hashed to one word.
  // REQUIRES: h is well mixed (each bit of it depends on the whole key). A raw counter is not.
  static constexpr Hash from_u64(std::uint64_t h) noexcept { return {h, mix(h + kGolden)}; }

  bool operator==(const Hash&) const = default;
};

// Which function made a Hash. Values are stored in files: never renumbered, never reused.
// The same bytes give the same Hash on every machine, in every release.
enum class HashId : std::uint8_t {
  xxh3 = 1,         // XXH3, 128 bits, 64-bit seed: the default
  murmur3 = 2,      // the reference article's pair: MurmurHash3 x64-128, first word, two fixed seeds
  siphash = 3,      // SipHash-2-4, 128 bits, under a secret 16-byte key: for hostile keys
  aes = 4,          // rounds of AES, 128 bits, 64-bit seed: the fastest where AES is an instruction (docs/format.md)
  precomputed = 255 // the caller hashes: inserting a string is refused, asking about one says maybe
};

BLOOMERY_API std::string_view name(HashId id) noexcept;                           // "xxh3"; "?" if unknown
BLOOMERY_API std::optional<HashId> hash_id_from_name(std::string_view) noexcept;  // the inverse

using SecretKey = std::array<std::byte, 16>;

// A hash function and its seed: a small value, stored beside every filter.
// Keys are bytes, any length from 0, NULs included. Integers: hash their 8 little-endian bytes.
struct BLOOMERY_API Hasher {
  HashId id = HashId::xxh3;
  SecretKey key = {};  // xxh3, aes: seed in bytes 0-7, little-endian, then zeros. siphash: the secret.

  static Hasher xxh3(std::uint64_t seed = 0) noexcept;
  static Hasher murmur3() noexcept;
  static Hasher siphash(const SecretKey& secret) noexcept;
  static Hasher aes(std::uint64_t seed = 0) noexcept;
  static Hasher precomputed() noexcept;

  // REQUIRES: id != precomputed (gives {0, 0}). Cost: O(key.size()).
  Hash operator()(std::string_view key) const noexcept;
  // Fetches the bytes of keys further on, so a long run of keys is better than many short ones.
  // REQUIRES: out.size() == keys.size().
  void operator()(std::span<const std::string_view> keys, std::span<Hash> out) const noexcept;

  bool secret() const noexcept { return id == HashId::siphash; }
  bool seeded() const noexcept { return id == HashId::xxh3 || id == HashId::aes; }
  std::uint64_t seed() const noexcept { return load_le<std::uint64_t>(key.data()); }

  // What a file stores instead of the key: for siphash the SipHash of a fixed string under the
  // secret, which tells a right key from a wrong one and gives neither away; else the key itself.
  SecretKey stored_key() const noexcept;

  // Is this a hasher at all? Errors: invalid_argument (unknown id, bytes where none are allowed).
  Result<void> check() const;

  bool operator==(const Hasher&) const = default;
};

// A key that comes in pieces: the Hash of all of them, one after the other.
class BLOOMERY_API HashStream {
 public:
  // Errors: not_supported (precomputed), no_memory.
  static Result<HashStream> create(const Hasher& hasher);
  HashStream(HashStream&&) noexcept;
  HashStream& operator=(HashStream&&) noexcept;
  ~HashStream();

  void update(std::string_view piece) noexcept;
  Hash finish() const noexcept;  // of the pieces so far

 private:
  struct State;
  BLOOMERY_LOCAL explicit HashStream(std::unique_ptr<State> state) noexcept;
  std::unique_ptr<State> state_;
};

}  // namespace bloomery
