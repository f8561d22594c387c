// The laws that every layout obeys, over the list of layouts.
#include "layout/layouts.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <memory>
#include <string>
#include <vector>

#include "bloomery/plan.hpp"
#include "plan/measured_test.hpp"

namespace bloomery {
namespace {

using testing_rates::Random;

template <class Tuple>
struct AsTypes;
template <class... L>
struct AsTypes<std::tuple<L...>> {
  using type = ::testing::Types<L...>;
};

template <class L>
constexpr bool kStatic = Buildable<L> && L::kind != Kind::exact;

// A shape of kind L for about `keys` keys, of varied size, rule and hashes.
template <class L>
Shape some_shape(std::uint64_t keys, Random& random) {
  PlanRequest want{.kind = L::kind, .keys = keys};
  if (L::kind != Kind::exact) want.fpr = std::array{0.3, 0.01, 1e-5, 1e-9}[random.word() % 4];
  if (kStatic<L> || L::kind == Kind::counting) want.cell_bits = std::array{8u, 16u}[random.word() % 2];
  if (kStatic<L>) want.fpr = want.cell_bits == 8 ? 0.3 : 1e-4;
  if (L::kind == Kind::fuse) want.hashes = static_cast<unsigned>(3 + random.word() % 2);
  if (L::kind == Kind::counting && random.word() % 2 == 0) want.lines_per_key = 1;
  if (L::kind == Kind::windowed) want.keys = 4 * keys;  // tests put more in than they say, and none may be forgotten
  Shape shape = plan(want)->shape;
  if (L::kind == Kind::classic) shape.rule = static_cast<std::uint8_t>(random.word() % 2);
  return shape;
}

// Any shape that check() lets pass, also one that no plan would make.
template <class L>
Shape any_shape(Random& random) {
  Shape shape = some_shape<L>(1 + random.word() % 5, random);
  const std::uint64_t count = random.word() % 50 + (L::kind == Kind::exact ? 0 : 1);
  if (L::kind == Kind::fuse) {
    shape.param[0] = std::uint64_t{4} << random.word() % 4;
    shape.salt = random.word();
    shape.cells = shape.param[0] * (shape.probes + count - 1);
    return shape;
  }
  if (L::kind == Kind::ribbon) {
    shape.param[0] = 64 * (random.word() % 9);
    shape.param[1] = 64 * (random.word() % 9);
    shape.salt = random.word();
    shape.cells = shape.param[0] + shape.param[1] + 64 * count;
    return shape;
  }
  shape.cells = count;
  if (L::kind == Kind::counting && shape.rule == 2) shape.cells *= 512u / shape.cell_bits;
  if (L::kind == Kind::windowed) {
    shape.param[0] = 1 + random.word() % 20;
    shape.param[1] = 1 + random.word() % 15;
    shape.rule = static_cast<std::uint8_t>(random.word() % 4);
  }
  if (L::kind != Kind::exact) shape.probes = static_cast<std::uint8_t>(1 + random.word() % 8);
  if (L::kind == Kind::blocked || L::kind == Kind::windowed) shape.lines_per_key = static_cast<std::uint8_t>(1 + random.word() % 8);
  return shape;
}

std::vector<Hash> some_keys(std::size_t count, Random& random) {
  std::vector<Hash> keys(count);
  for (Hash& key : keys) key = random.hash();
  return keys;
}

// The keys, in: by insert or by build. May change the shape.
template <class L>
std::vector<std::byte> filled(Shape& shape, const std::vector<Hash>& keys) {
  if constexpr (Buildable<L>) {
    std::vector<std::byte> bytes(L::build_bytes(shape, keys.size()));
    EXPECT_TRUE(L::build(shape, bytes, keys));
    bytes.resize(L::size_bytes(shape));
    return bytes;
  } else {
    std::vector<std::byte> bytes(L::size_bytes(shape));
    for (const Hash key : keys) L::insert(shape, bytes, key);
    return bytes;
  }
}

template <class L>
class EveryLayout : public ::testing::Test {};
TYPED_TEST_SUITE(EveryLayout, AsTypes<Layouts>::type);

TYPED_TEST(EveryLayout, HasAKindAndAName) {
  EXPECT_EQ(name(TypeParam::kind), TypeParam::name);
  EXPECT_EQ(kind_from_name(TypeParam::name), TypeParam::kind);
}

TYPED_TEST(EveryLayout, NoFalseNegatives) {
  Random random(1);
  for (const std::size_t count : {1u, 2u, 10u, 100u, 5000u})
    for (int turn = 0; turn < 10; ++turn) {
      Shape shape = some_shape<TypeParam>(count, random);
      ASSERT_TRUE(TypeParam::check(shape));
      const auto keys = some_keys(count * 2, random);
      if (TypeParam::kind == Kind::exact) shape.cells = keys.size();
      const auto bytes = filled<TypeParam>(shape, keys);
      for (const Hash key : keys) ASSERT_TRUE(TypeParam::may_contain(shape, bytes, key));
    }
}

TYPED_TEST(EveryLayout, EmptySaysNo) {
  Random random(2);
  for (int turn = 0; turn < 50; ++turn) {
    Shape shape = some_shape<TypeParam>(1 + random.word() % 300, random);
    const auto bytes = filled<TypeParam>(shape, {});
    EXPECT_EQ(TypeParam::fill_ratio(shape, bytes), 0);
    EXPECT_EQ(TypeParam::current_fpr(shape, bytes), 0);
    for (int i = 0; i < 100; ++i) ASSERT_FALSE(TypeParam::may_contain(shape, bytes, random.hash()));
  }
}

TYPED_TEST(EveryLayout, FreshMeansThatItWasNotThere) {
  if constexpr (Insertable<TypeParam>) {
    Random random(3);
    for (int turn = 0; turn < 20; ++turn) {
      const Shape shape = some_shape<TypeParam>(200, random);
      std::vector<std::byte> bytes(TypeParam::size_bytes(shape));
      auto keys = some_keys(400, random);
      keys.insert(keys.end(), keys.begin(), keys.begin() + 100);
      for (const Hash key : keys) {
        const bool before = TypeParam::may_contain(shape, bytes, key);
        ASSERT_EQ(TypeParam::insert(shape, bytes, key), !before);
        ASSERT_TRUE(TypeParam::may_contain(shape, bytes, key));
      }
    }
  }
}

// Bytes from anywhere, in a block of exactly their size: a sanitizer would see a step outside.
TYPED_TEST(EveryLayout, QueriesStayInsideWhateverTheBytes) {
  Random random(4);
  for (int turn = 0; turn < 300; ++turn) {
    const Shape shape = any_shape<TypeParam>(random);
    ASSERT_TRUE(TypeParam::check(shape));
    const std::uint64_t size = TypeParam::size_bytes(shape);
    const auto block = std::make_unique<std::byte[]>(size);
    for (std::uint64_t i = 0; i < size; ++i) block[i] = static_cast<std::byte>(random.word());
    const Bytes bytes(block.get(), size);
    for (const Hash key : {Hash{0, 0}, Hash{~0ull, ~0ull}, Hash{0, ~0ull}, random.hash(), random.hash()}) {
      [[maybe_unused]] const bool maybe = TypeParam::may_contain(shape, bytes, key);
      if constexpr (Insertable<TypeParam>) TypeParam::insert(shape, bytes, key);
    }
    const double fill = TypeParam::fill_ratio(shape, bytes), now = TypeParam::current_fpr(shape, bytes);
    EXPECT_TRUE(fill >= 0 && fill <= 1 && now >= 0 && now <= 1);
  }
}

TYPED_TEST(EveryLayout, FullSaysMaybe) {
  if constexpr (Insertable<TypeParam>) {
    Random random(5);
    const Shape shape = some_shape<TypeParam>(100, random);
    const std::vector<std::byte> bytes(TypeParam::size_bytes(shape), std::byte{255});
    EXPECT_EQ(TypeParam::fill_ratio(shape, bytes), 1);  // the bits that pad the last byte do not count
    EXPECT_EQ(TypeParam::current_fpr(shape, bytes), 1);
    EXPECT_TRUE(TypeParam::may_contain(shape, bytes, random.hash()));
  }
}

TYPED_TEST(EveryLayout, CheckRefusesEveryFieldOutOfRange) {
  Random random(6);
  const Shape good = some_shape<TypeParam>(100, random);
  ASSERT_TRUE(TypeParam::check(good));
  const auto refuses = [&](const char* field, auto change) {
    Shape bad = good;
    change(bad);
    const auto verdict = TypeParam::check(bad);
    ASSERT_FALSE(verdict) << field;
    EXPECT_EQ(verdict.error().code, Errc::invalid_argument);
    EXPECT_EQ(verdict.error().message.find(std::string(field) + " must be "), 0u) << verdict.error().message;
  };
  refuses("rule", [](Shape& s) { s.rule = 4; });
  if (TypeParam::kind == Kind::exact || TypeParam::kind == Kind::ribbon) refuses("probes", [](Shape& s) { s.probes = 1; });
  else refuses("probes", [](Shape& s) { s.probes = 0; });
  if (TypeParam::kind == Kind::blocked) refuses("probes", [](Shape& s) { s.probes = 9; });
  refuses("cell_bits", [](Shape& s) { s.cell_bits = 33; });
  refuses("lines_per_key", [](Shape& s) { s.lines_per_key = 0; });
  refuses("lines_per_key", [](Shape& s) { s.lines_per_key = 9; });
  if (TypeParam::kind != Kind::exact && !kStatic<TypeParam>) refuses("cells", [](Shape& s) { s.cells = 0; });
  refuses("cells", [](Shape& s) { s.cells = TypeParam::kMaxCells + 1; });
  if (!kStatic<TypeParam>) refuses("salt", [](Shape& s) { s.salt = 1; });
  if (TypeParam::kind == Kind::windowed) refuses("param[0]", [](Shape& s) { s.param[0] = 0; });
  else refuses("param[0]", [](Shape& s) { s.param[0] = 1; });
  refuses("param[1]", [](Shape& s) { s.param[1] = kStatic<TypeParam> ? s.cells + 1 : TypeParam::kind == Kind::windowed ? 16 : 1; });
}

TYPED_TEST(EveryLayout, SizesDoNotWrapAtTheLargestShape) {
  Random random(7);
  Shape shape = some_shape<TypeParam>(100, random);
  shape.cells = TypeParam::kMaxCells;
  ASSERT_TRUE(TypeParam::check(shape));
  EXPECT_GE(TypeParam::size_bytes(shape), TypeParam::kMaxCells / 8);
  EXPECT_EQ(TypeParam::size_bits(shape) / 8, TypeParam::size_bytes(shape));
}

TEST(Kinds, UnknownOnesHaveNoName) {
  EXPECT_EQ(name(static_cast<Kind>(0)), "?");
  EXPECT_FALSE(kind_from_name("?"));
  EXPECT_FALSE(kind_from_name(""));
}

TEST(ExactLayout, BuildsTheSetInAscendingOrder) {
  const std::vector<Hash> keys = {{5, 1}, {2, 9}, {5, 1}, {5, 0}, {2, 9}};
  Shape shape{.kind = Kind::exact, .cell_bits = 128, .cells = 5};
  const auto bytes = filled<Exact>(shape, keys);
  ASSERT_EQ(shape.cells, 3u);
  EXPECT_EQ(Exact::at(bytes, 0), (Hash{2, 9}));
  EXPECT_EQ(Exact::at(bytes, 1), (Hash{5, 0}));
  EXPECT_EQ(Exact::at(bytes, 2), (Hash{5, 1}));
  EXPECT_FALSE(Exact::may_contain(shape, bytes, {5, 2}));
}

}  // namespace
}  // namespace bloomery
