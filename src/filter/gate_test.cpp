// Shapes that somebody else wrote down: what passes the gate is safe to query, whatever its fields and bytes.
#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "bloomery/filter.hpp"
#include "layout/layouts.hpp"
#include "plan/measured_test.hpp"

namespace bloomery {
namespace {

using testing_rates::Random;

// Numbers at and beside the limits, and any others.
std::uint64_t some_number(Random& random) {
  const std::uint64_t shift = random.word() % 64, near = (std::uint64_t{1} << shift) + random.word() % 3 - 1;
  switch (random.word() % 4) {
    case 0: return random.word() % 5;
    case 1: return near;
    case 2: return 64 * (random.word() % 40);
    default: return random.word() >> shift;
  }
}

// A shape as its kind has them, small.
Shape usual_shape(Kind kind, Random& random) {
  const auto below = [&](std::uint64_t limit) { return random.word() % limit; };
  const auto one_of = [&](std::initializer_list<std::uint8_t> choices) { return *(choices.begin() + below(choices.size())); };
  const std::uint64_t count = 1 + below(40);
  switch (kind) {
    case Kind::classic: return {.kind = kind, .rule = one_of({0, 1}), .probes = one_of({1, 7, 40}), .cells = count};
    case Kind::blocked: return {.kind = kind, .probes = one_of({1, 5, 8}), .lines_per_key = one_of({1, 2, 8}), .cells = count};
    case Kind::exact: return {.kind = kind, .cell_bits = 128, .cells = below(2)};
    case Kind::counting: {
      const std::uint8_t rule = one_of({1, 2}), bits = one_of({2, 4, 8, 16});
      return {.kind = kind, .rule = rule, .probes = one_of({1, 8}), .cell_bits = bits,
              .cells = rule == 2 ? count * (512u / bits) : count};
    }
    case Kind::fuse: {
      const std::uint64_t segment = std::uint64_t{4} << below(4);
      const std::uint8_t probes = one_of({3, 4});
      return {.kind = kind, .probes = probes, .cell_bits = one_of({8, 16, 32}), .cells = segment * (count + probes - 1u),
              .salt = random.word(), .param = {segment, 0}};
    }
    case Kind::ribbon: {
      const std::uint64_t first = 64 * below(5), second = 64 * below(5);
      return {.kind = kind, .cell_bits = one_of({1, 8, 32}), .cells = first + second + 64 * count, .salt = random.word(),
              .param = {first, second}};
    }
    case Kind::windowed:
      return {.kind = kind, .rule = one_of({0, 1, 2, 3}), .probes = one_of({1, 5, 8}), .lines_per_key = one_of({1, 2, 8}),
              .cells = count, .param = {1 + below(20), 1 + below(15)}};
  }
  return {};
}

// One in two has fields that somebody has chosen.
Shape some_shape(Kind kind, Random& random) {
  Shape shape = usual_shape(kind, random);
  for (std::uint64_t changes = random.word() % 4; changes > 1; --changes) {
    const std::uint64_t number = some_number(random);
    const auto byte = static_cast<std::uint8_t>(number);
    switch (random.word() % 8) {
      case 0: shape.rule = byte; break;
      case 1: shape.probes = byte; break;
      case 2: shape.cell_bits = byte; break;
      case 3: shape.lines_per_key = byte; break;
      case 4: shape.cells = number; break;
      case 5: shape.salt = number; break;
      default: shape.param[random.word() % 2] = number; break;
    }
  }
  return shape;
}

template <class L>
class Gate : public testing::Test {};
template <class Tuple>
struct AsTypes;
template <class... L>
struct AsTypes<std::tuple<L...>> {
  using type = testing::Types<L...>;
};
TYPED_TEST_SUITE(Gate, AsTypes<Layouts>::type);

Result<Filter> opened(const Shape& shape, ConstBytes bytes) {
  const Hasher hasher = shape.kind == Kind::classic && shape.rule == 0 ? Hasher::murmur3() : Hasher::precomputed();
  return Filter::from_parts({.hasher = hasher, .segments = {{.shape = shape, .bytes = bytes}}, .owner = nullptr});
}

TYPED_TEST(Gate, PassesNothingThatIsUnsafe) {
  constexpr std::uint64_t kMostBytes = 1 << 14;
  Random random(11);
  int passed = 0, refused = 0;
  for (int i = 0; i < 40'000; ++i) {
    const Shape shape = some_shape(TypeParam::kind, random);
    const bool good = static_cast<bool>(TypeParam::check(shape));
    const std::uint64_t size = good ? TypeParam::size_bytes(shape) : random.word() % 4096;
    if (size > kMostBytes) {
      EXPECT_FALSE(opened(shape, {})) << "its bytes are missing";
      continue;
    }
    const auto block = std::make_unique<std::byte[]>(size);  // of this very size: a sanitizer sees a step outside
    for (std::uint64_t b = 0; b < size; ++b) block[b] = static_cast<std::byte>(random.word());
    const auto filter = opened(shape, {block.get(), size});
    if (!good) {
      EXPECT_FALSE(filter);
      ++refused;
      continue;
    }
    if (!filter) continue;  // the bytes too must be right (exact: ascending)
    ++passed;
    std::vector<Hash> keys(70);
    for (Hash& key : keys) key = random.hash();
    keys[0] = {0, 0}, keys[1] = {~0ull, ~0ull};
    bool answers[70];
    const std::uint64_t maybes = filter->may_contain(std::span<const Hash>(keys), answers);
    std::uint64_t expected = 0;
    for (std::size_t k = 0; k < keys.size(); ++k) {
      EXPECT_EQ(answers[k], filter->may_contain(keys[k]));
      expected += answers[k];
    }
    EXPECT_EQ(maybes, expected);
    EXPECT_TRUE(filter->current_fpr() >= 0 && filter->current_fpr() <= 1);
    EXPECT_FALSE(opened(shape, {block.get(), size == 0 ? 0 : size - 1}) && size > 0) << "a byte is missing";
  }
  EXPECT_GT(passed, 10);
  EXPECT_GT(refused, 1000);
}

}  // namespace
}  // namespace bloomery
