#include "bloomery/hash.hpp"

#include <gtest/gtest.h>
#include <sodium.h>

#include <cstring>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "hash/murmur3.hpp"
#include "hash/siphash.hpp"

namespace bloomery {
namespace {

std::uint64_t from_hex(const std::string& text) { return std::stoull(text, nullptr, 16); }

TEST(Murmur3, AgreesWithTheArticlesValues) {
  std::ifstream file(BLOOMERY_SOURCE_DIR "/tests/golden/seed/seed_filters.json");
  const auto golden = nlohmann::json::parse(file);
  std::size_t values = 0;
  for (const auto& row : golden["murmur3_x64_128_first_word"]) {
    const std::string key = row["key"];
    EXPECT_EQ(murmur3_first_word(key, 0), from_hex(row["seed0"])) << key;
    EXPECT_EQ(murmur3_first_word(key, kArticleSeedLo), from_hex(row["seed1"])) << key;
    EXPECT_EQ(murmur3_first_word(key, kArticleSeedHi), from_hex(row["seed2"])) << key;
    const Hash pair = Hasher::murmur3()(key);
    EXPECT_EQ(pair, (Hash{from_hex(row["seed1"]), from_hex(row["seed2"])})) << key;
    values += 3;
  }
  EXPECT_EQ(values, 36u);
}

// The reference implementation's vectors: key 00 01 .. 0f, message of n bytes 00 01 02 ...
TEST(SipHash, AgreesWithThePublishedVectors) {
  SecretKey key;
  for (std::size_t i = 0; i < key.size(); ++i) key[i] = static_cast<std::byte>(i);
  EXPECT_EQ(siphash_2_4_128("", key), (Hash{0xe6a825ba047f81a3, 0x930255c71472f66d}));
  EXPECT_EQ(siphash_2_4_128(std::string_view("\0", 1), key), (Hash{0x44af996bd8c187da, 0x45fc229b11597634}));
}

TEST(SipHash, AgreesWithLibsodiumAtEveryLength) {
  static_assert(crypto_shorthash_siphashx24_BYTES == 16 && crypto_shorthash_siphashx24_KEYBYTES == 16);
  SecretKey key;
  for (std::size_t i = 0; i < key.size(); ++i) key[i] = static_cast<std::byte>(i * 37 + 11);
  std::string text;
  for (int length = 0; length < 300; ++length) {
    unsigned char out[16];
    crypto_shorthash_siphashx24(out, reinterpret_cast<const unsigned char*>(text.data()), text.size(),
                                reinterpret_cast<const unsigned char*>(key.data()));
    Hash expected;
    std::memcpy(&expected, out, sizeof expected);
    EXPECT_EQ(siphash_2_4_128(text, key), expected) << length;
    text.push_back(static_cast<char>(length * 7 + 3));
  }
}

// From the sanity vectors that xxHash publishes: the empty input, seed 0.
TEST(Xxh3, AgreesWithThePublishedVector) {
  EXPECT_EQ(Hasher::xxh3()(""), (Hash{0x6001c324468d497f, 0x99aa06d3014798d8}));
}

TEST(Hasher, BatchesEqualSingles) {
  const std::vector<std::string_view> keys = {"", "a", "apple", std::string_view("\0\0", 2), "a much longer key, well past 16 bytes"};
  SecretKey secret{};
  secret[3] = std::byte{9};
  for (const Hasher& h :
       {Hasher::xxh3(), Hasher::xxh3(42), Hasher::murmur3(), Hasher::siphash(secret), Hasher::aes(), Hasher::aes(42)}) {
    std::vector<Hash> out(keys.size());
    h(keys, out);
    for (std::size_t i = 0; i < keys.size(); ++i) EXPECT_EQ(out[i], h(keys[i]));
  }
}

TEST(HashStream, PiecesEqualTheWhole) {
  SecretKey secret{};
  secret[9] = std::byte{3};
  std::string text;
  for (int i = 0; i < 3000; ++i) text.push_back(static_cast<char>(i * 31 + 7));
  for (const Hasher& h :
       {Hasher::xxh3(), Hasher::xxh3(42), Hasher::murmur3(), Hasher::siphash(secret), Hasher::aes(), Hasher::aes(42)}) {
    for (const std::size_t length : {0u, 1u, 7u, 8u, 9u, 15u, 16u, 17u, 240u, 241u, 1000u, 3000u}) {
      for (const std::size_t piece : {1u, 3u, 8u, 16u, 64u, 1024u, 4096u}) {
        auto stream = HashStream::create(h);
        ASSERT_TRUE(stream);
        const std::string_view key = std::string_view(text).substr(0, length);
        for (std::size_t at = 0; at < length; at += piece) stream->update(key.substr(at, piece));
        EXPECT_EQ(stream->finish(), h(key)) << name(h.id) << " " << length << " " << piece;
      }
    }
  }
  EXPECT_EQ(HashStream::create(Hasher::precomputed()).error().code, Errc::not_supported);
}

TEST(Hasher, SeedsAndSecretsMatter) {
  EXPECT_NE(Hasher::xxh3(1)("apple"), Hasher::xxh3(2)("apple"));
  EXPECT_EQ(Hasher::xxh3(0xabcdef)
                .seed(),
            0xabcdefu);
  SecretKey other{};
  other[15] = std::byte{1};
  EXPECT_NE(Hasher::siphash({})("apple"), Hasher::siphash(other)("apple"));
}

TEST(Hasher, StoresACheckOfTheSecretAndNeverTheSecret) {
  SecretKey secret{};
  secret[0] = std::byte{7};
  const Hasher h = Hasher::siphash(secret);
  EXPECT_NE(h.stored_key(), secret);
  EXPECT_EQ(h.stored_key(), Hasher::siphash(secret).stored_key());
  EXPECT_NE(h.stored_key(), Hasher::siphash({}).stored_key());
  EXPECT_EQ(Hasher::xxh3(5).stored_key(), Hasher::xxh3(5).key);
}

TEST(Hasher, NamesRoundTrip) {
  for (const HashId id : {HashId::xxh3, HashId::murmur3, HashId::siphash, HashId::aes, HashId::precomputed})
    EXPECT_EQ(hash_id_from_name(name(id)), id);
  EXPECT_EQ(hash_id_from_name("md5"), std::nullopt);
  EXPECT_EQ(name(static_cast<HashId>(77)), "?");
}

TEST(Hasher, RefusesWhatItCannotBe) {
  EXPECT_TRUE(Hasher::xxh3(~std::uint64_t{0}).check());
  EXPECT_TRUE(Hasher::aes(~std::uint64_t{0}).check());
  Hasher murmur = Hasher::murmur3();
  murmur.key[0] = std::byte{1};
  EXPECT_FALSE(murmur.check());
  Hasher xxh3 = Hasher::xxh3();
  xxh3.key[8] = std::byte{1};
  EXPECT_FALSE(xxh3.check());
  EXPECT_FALSE((Hasher{static_cast<HashId>(77), {}}.check()));
}

TEST(Mix, IsTheDocumentedBijection) {
  EXPECT_EQ(mix(0), 0u);
  std::uint64_t z = 0x0123456789abcdef;
  z ^= z >> 32;
  z *= 0xD6E8FEB86659FD93;
  z ^= z >> 32;
  EXPECT_EQ(mix(0x0123456789abcdef), z);
  EXPECT_EQ(high64(~std::uint64_t{0}, 10), 9u);
  EXPECT_EQ(high64(std::uint64_t{1} << 63, 10), 5u);
}

}  // namespace
}  // namespace bloomery
