#include "bloomery/layout/classic.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <vector>

#include "bloomery/plan.hpp"
#include "plan/measured_test.hpp"

namespace bloomery {
namespace {

using testing_rates::Random;

// The filters of the reference article, bit for bit.
TEST(ClassicArticleRule, MakesTheFiltersOfTheArticle) {
  std::ifstream file(BLOOMERY_SOURCE_DIR "/tests/golden/seed/seed_filters.json");
  const auto golden = nlohmann::json::parse(file);
  const Hasher hasher = Hasher::murmur3();
  ASSERT_EQ(golden["filters"].size(), 3u);
  for (const auto& filter : golden["filters"]) {
    const Shape shape{.kind = Kind::classic,
                      .rule = Classic::kArticleRule,
                      .probes = filter["hash_count"].get<std::uint8_t>(),
                      .cells = filter["size"].get<std::uint64_t>()};
    std::vector<std::byte> bytes(Classic::size_bytes(shape));
    unsigned fresh = 0;
    for (const auto& item : filter["items"]) fresh += Classic::insert(shape, bytes, hasher(item.get<std::string>()));
    EXPECT_EQ(fresh, filter["items_added"].get<unsigned>()) << filter["name"];
    std::vector<std::uint64_t> bits;
    for (std::uint64_t bit = 0; bit < shape.cells; ++bit)
      if ((std::to_integer<unsigned>(bytes[bit / 8]) >> (bit % 8)) & 1) bits.push_back(bit);
    EXPECT_EQ(bits, filter["bits"].get<std::vector<std::uint64_t>>()) << filter["name"];
    EXPECT_NEAR(Classic::fill_ratio(shape, bytes), filter["fill_ratio"].get<double>(), 5e-7);
    const double textbook = formula::textbook_fpr(fresh, static_cast<double>(shape.cells), shape.probes);
    EXPECT_NEAR(textbook, filter["estimated_fp_rate"].get<double>(), 5e-7);
    for (const auto& [key, answer] : filter["contains"].items())
      EXPECT_EQ(Classic::may_contain(shape, bytes, hasher(key)), answer.get<bool>()) << key;
  }
}

TEST(ClassicMixedRule, ProbesTheBitsOfTheRule) {
  Random random(1);
  for (int turn = 0; turn < 100; ++turn) {
    const Shape shape{.kind = Kind::classic, .rule = Classic::kMixedRule, .probes = 7, .cells = 1 + random.word() % 1000};
    std::vector<std::byte> bytes(Classic::size_bytes(shape));
    const Hash key = random.hash();
    Classic::insert(shape, bytes, key);
    std::vector<bool> expected(shape.cells);
    for (std::uint64_t i = 0; i < 7; ++i) expected[high64(mix(key.lo + i * (key.hi | 1)), shape.cells)] = true;
    for (std::uint64_t bit = 0; bit < shape.cells; ++bit)
      ASSERT_EQ((std::to_integer<unsigned>(bytes[bit / 8]) >> (bit % 8)) & 1, expected[bit]);
  }
}

}  // namespace
}  // namespace bloomery
