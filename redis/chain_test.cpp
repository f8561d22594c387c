// RedisBloom's layout against filters that RedisBloom made: the same answers, and the same bytes when built anew.
#include "redis/chain.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "bloomery/bits.hpp"
#include "redis/murmur2.hpp"

namespace bloomery::redis {
namespace {

using nlohmann::json;
namespace fs = std::filesystem;

const fs::path kGolden = fs::path(BLOOMERY_SOURCE_DIR) / "tests/golden/redis";
constexpr std::uint64_t kMaxChunk = 16 << 20;

std::string bytes_of(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

std::string unhex(const std::string& hex) {
  std::string out;
  for (std::size_t i = 0; i < hex.size(); i += 2) out += static_cast<char>(std::stoi(hex.substr(i, 2), nullptr, 16));
  return out;
}

std::vector<std::string> keys_of(const json& set) {
  std::vector<std::string> keys;
  if (set.contains("hex")) {
    for (const auto& hex : set["hex"]) keys.push_back(unhex(hex));
    return keys;
  }
  const std::string format = set["rule"]["format"];
  for (int i = set["rule"]["first"]; i <= set["rule"]["last"]; ++i) {
    char key[64];
    std::snprintf(key, sizeof key, format.c_str(), i);
    keys.push_back(key);
  }
  return keys;
}

std::string answers(const Bloom& bloom, const std::vector<std::string>& keys) {
  const std::vector<std::string_view> views(keys.begin(), keys.end());
  const auto out = std::make_unique<bool[]>(keys.size());
  bloom.may_contain(views, std::span(out.get(), keys.size()));
  std::string text;
  for (std::size_t i = 0; i < keys.size(); ++i) text += out[i] ? '1' : '0';
  return text;
}

std::string expected(const json& set, char otherwise) {
  return set.contains("peer_answers") ? std::string(set["peer_answers"]) : std::string(keys_of(set).size(), otherwise);
}

std::size_t header_bytes(std::string_view dump) {
  return 20 + 53 * load_le<std::uint32_t>(reinterpret_cast<const std::byte*>(dump.data()) + 8);
}

std::string dump_of(const Chain& chain) {
  std::string out = chain.header();
  std::uint64_t offset = 0;
  for (auto run = chain.run(0, kMaxChunk); !run.empty(); run = chain.run(offset, kMaxChunk)) {
    out += run;
    offset += run.size();
  }
  return out;
}

std::unique_ptr<Chain> load(std::string_view dump) {
  auto chain = Chain::from_header(dump.substr(0, header_bytes(dump)));
  if (!chain) return nullptr;
  std::uint64_t offset = 0;
  for (const Link& link : chain->links()) {
    EXPECT_EQ(chain->store(offset, dump.substr(header_bytes(dump) + offset, link.size_bytes)), Chain::Stored::yes);
    offset += link.size_bytes;
  }
  return chain;
}

class Golden : public testing::TestWithParam<std::string> {
 protected:
  const json meta = json::parse(bytes_of(kGolden / (GetParam() + ".json")));
  const std::string dump = bytes_of(kGolden / (GetParam() + ".scandump"));
};

TEST_P(Golden, GivesTheSameAnswersAndTheSameBytes) {
  const auto chain = load(dump);
  ASSERT_TRUE(chain);
  EXPECT_EQ(answers(*chain, keys_of(meta["members"])), expected(meta["members"], '1'));
  EXPECT_EQ(answers(*chain, keys_of(meta["non_members"])), expected(meta["non_members"], '0'));
  EXPECT_EQ(dump_of(*chain), dump);
}

TEST_P(Golden, AddingTheMembersAnewMakesTheSameBytes) {
  if (meta["parameters"].contains("options")) GTEST_SKIP() << "of an old release: no longer made";
  const json& expansion = meta["parameters"]["expansion"];
  const std::uint32_t growth = expansion == "NONSCALING" ? 0u : expansion.is_number() ? expansion.get<std::uint32_t>() : 2u;
  const auto chain = Chain::create(meta["parameters"]["error_rate"], meta["parameters"]["capacity"], growth);
  ASSERT_TRUE(chain);
  for (const auto& key : keys_of(meta["members"])) {
    const std::string_view one[] = {key};
    Added added[1];
    EXPECT_EQ(chain->add(one, added, kNoLimit), 1u);
  }
  EXPECT_EQ(dump_of(*chain), dump);
}

std::vector<std::string> names() {
  std::vector<std::string> found;
  for (const auto& entry : fs::directory_iterator(kGolden))
    if (entry.path().extension() == ".json") found.push_back(entry.path().stem());
  std::sort(found.begin(), found.end());
  return found;
}
INSTANTIATE_TEST_SUITE_P(RedisBloom, Golden, testing::ValuesIn(names()), [](const auto& test) { return test.param; });

// An old filter that grows goes on in its own manner: sizes are powers of two.
TEST(Chain, OldFiltersGrowAsTheyDid) {
  const std::string dump = bytes_of(kGolden / "rbold_opt0_scal.scandump");
  const json meta = json::parse(bytes_of(kGolden / "rbold_opt0_scal.json"));
  std::string first = dump.substr(0, 20 + 53);
  for (const std::size_t count : {std::size_t{0}, std::size_t{20 + 16}}) first.replace(count, 8, 8, '\0');  // items
  first[8] = 1;
  const auto chain = Chain::from_header(first);
  ASSERT_TRUE(chain);
  for (const auto& key : keys_of(meta["members"])) {
    const std::string_view one[] = {key};
    Added added[1];
    chain->add(one, added, kNoLimit);
  }
  EXPECT_EQ(dump_of(*chain), dump);
}

TEST(Chain, RefusesHeadersThatContradictThemselves) {
  const std::string good = Chain::create(0.01, 100, 2)->header();
  ASSERT_TRUE(Chain::from_header(good));
  for (std::size_t size = 0; size < good.size(); ++size) EXPECT_FALSE(Chain::from_header(good.substr(0, size))) << size;
  EXPECT_FALSE(Chain::from_header(good + '\0'));
  struct { std::size_t at; char value; } const damages[] = {
      {0, 1},          // items are not the sum
      {8, 0}, {8, 2},  // links
      {12, 16},        // an option that nobody knows
      {20, 1},         // bytes do not fit the bits
      {28, 1},         // nor bits the bytes
      {20 + 31, 64},   // error rate 2.x
      {20 + 40, 9},    // probes
      {20 + 52, 64},   // exponent
      {20 + 52, 20},   // more bits than there are
  };
  for (const auto& damage : damages) {
    std::string bad = good;
    bad[damage.at] = damage.value;
    EXPECT_FALSE(Chain::from_header(bad)) << damage.at << ' ' << int{damage.value};
  }
}

TEST(Chain, RefusesWhatNoMachineHolds) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "a sanitizer's allocator ends the program where others return null";
#endif
  std::string header = Chain::create(0.01, 100, 2)->header();
  const std::uint64_t bytes = std::uint64_t{1} << 59, bits = bytes * 8;
  std::memcpy(header.data() + 20, &bytes, 8);
  std::memcpy(header.data() + 28, &bits, 8);
  EXPECT_FALSE(Chain::from_header(header));
}

TEST(Chain, StopsWhenFull) {
  const auto chain = Chain::create(0.01, 2, 0);
  const std::string_view keys[] = {"a", "a", "b", "b", "c", "d"};
  Added added[6];
  ASSERT_EQ(chain->add(keys, added, kNoLimit), 5u);
  const Added wish[] = {Added::fresh, Added::repeat, Added::fresh, Added::repeat, Added::full};
  EXPECT_TRUE(std::equal(std::begin(wish), std::end(wish), added));
  EXPECT_EQ(chain->items(), 2u);
}

// Repeats, growth in the midst of a batch and batches longer than a block included.
TEST(Chain, ManyAtOnceAreAsOneAfterTheOther) {
  std::vector<std::string> words;
  for (int i = 0; i < 3000; ++i) words.push_back("item " + std::to_string(i % 7 == 3 ? i / 2 : i));
  const std::vector<std::string_view> keys(words.begin(), words.end());
  for (const std::uint32_t expansion : {0u, 1u, 2u}) {
    const std::uint64_t capacity = expansion == 0 ? 2000 : 100;
    const auto one = Chain::create(0.01, capacity, expansion), many = Chain::create(0.01, capacity, expansion);
    std::vector<Added> wish, found(keys.size());
    for (const std::string_view key : keys) {
      wish.push_back(one->add(key, kNoLimit));
      if (wish.back() == Added::full) break;
    }
    found.resize(many->add(keys, found, kNoLimit));
    EXPECT_EQ(found, wish) << expansion;
    EXPECT_EQ(dump_of(*many), dump_of(*one)) << expansion;
    const std::string together = answers(*one, words);
    for (std::size_t i = 0; i < keys.size(); ++i) EXPECT_EQ(one->may_contain(keys[i]), together[i] == '1') << words[i];
  }
}

TEST(Chain, StoresOnlyWithinALink) {
  const auto chain = Chain::create(0.01, 100, 2);
  const std::uint64_t size = chain->links()[0].size_bytes;
  EXPECT_EQ(chain->store(size, ""), Chain::Stored::no_such_place);
  EXPECT_EQ(chain->store(~std::uint64_t{0}, "x"), Chain::Stored::no_such_place);
  EXPECT_EQ(chain->store(size - 1, "xy"), Chain::Stored::too_long);
  EXPECT_EQ(chain->store(size - 1, "x"), Chain::Stored::yes);
}

TEST(Murmur2, ByteByByteTailsDiffer) {
  EXPECT_EQ(murmur2("", 0), 0u);
  EXPECT_EQ(murmur64a("", 0), 0u);
  EXPECT_NE(murmur64a(std::string_view("a\0", 2), 1), murmur64a("a", 1));
  EXPECT_NE(murmur2(std::string_view("a\0", 2), 1), murmur2("a", 1));
}

// As docs/redis.md says it, one probe after the other, for few and for many probes.
TEST(Chain, BitsAreThoseOfTheText) {
  for (const double rate : {0.2, 0.01, 1e-4, 1e-5, 1e-9, 1e-60}) {
    const auto chain = Chain::create(rate, 200, 0);
    ASSERT_TRUE(chain);
    const Link& link = chain->links()[0];
    std::vector<std::uint8_t> expected(link.size_bytes);
    for (int i = 0; i < 100; ++i) {
      const std::string item = "item " + std::to_string(i);
      const std::uint64_t first = murmur64a(item, 0xc6a4a7935bd1e995), step = murmur64a(item, first);
      bool fresh = false;
      for (std::uint32_t j = 0; j < link.probes; ++j) {
        const std::uint64_t bit = (first + j * step) % link.bits;
        const auto mask = static_cast<std::uint8_t>(1u << (bit % 8));
        fresh |= (expected[bit / 8] & mask) == 0;
        expected[bit / 8] |= mask;
      }
      EXPECT_EQ(chain->add(item, kNoLimit), fresh ? Added::fresh : Added::repeat);
      EXPECT_EQ(chain->add(item, kNoLimit), Added::repeat);
    }
    EXPECT_EQ(chain->run(0, kMaxChunk), std::string(expected.begin(), expected.end())) << rate;
  }
}

}  // namespace
}  // namespace bloomery::redis
