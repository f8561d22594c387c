// The laws over every kind, as a user meets them.
#include "bloomery/filter.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "filter/access.hpp"

namespace bloomery {
namespace {

std::vector<std::string> words(std::size_t count, const std::string& prefix = "key ") {
  std::vector<std::string> list;
  for (std::size_t i = 0; i < count; ++i) list.push_back(prefix + std::to_string(i));
  return list;
}

std::vector<std::string_view> views(const std::vector<std::string>& list) { return {list.begin(), list.end()}; }

// std::vector<bool> has no span, so flags live in an array.
struct Flags {
  explicit Flags(std::size_t count) : data(new bool[count]()), size(count) {}
  std::span<bool> span() const { return {data.get(), size}; }
  std::unique_ptr<bool[]> data;
  std::size_t size;
};

SecretKey some_secret() {
  SecretKey key{};
  key[5] = std::byte{0x42};
  return key;
}

struct Case {
  Kind kind;
  Hasher hasher;
};

class EveryKind : public testing::TestWithParam<Case> {
 protected:
  static std::string unit() {
    const Kind kind = GetParam().kind;
    return kind == Kind::blocked ? "lines" : kind == Kind::counting ? "counters" : "bits";
  }

  Filter make(std::uint64_t keys, double fpr = 0.01) const {
    auto f = Filter::create({.kind = GetParam().kind, .expected_keys = keys, .fpr = fpr, .hasher = GetParam().hasher});
    EXPECT_TRUE(f) << (f ? "" : f.error().message);
    return std::move(*f);
  }
};

TEST_P(EveryKind, EmptySaysNo) {
  const Filter f = make(1000);
  for (const auto& key : words(2000)) EXPECT_FALSE(f.may_contain(key));
  EXPECT_FALSE(f.may_contain(""));
  EXPECT_EQ(f.counts(), Counts{});
  EXPECT_EQ(f.fill_ratio(), 0);
  EXPECT_EQ(f.current_fpr(), 0);
  EXPECT_EQ(f.estimated_keys(), 0);
}

TEST_P(EveryKind, NeverForgetsAndTellsFreshFromRepeat) {
  Filter f = make(5000);
  std::uint64_t fresh = 0;
  for (const auto& key : words(5000)) {
    const bool before = f.may_contain(key);
    const auto inserted = f.insert(key);
    ASSERT_TRUE(inserted);
    EXPECT_EQ(*inserted, before ? Inserted::repeat : Inserted::fresh);
    EXPECT_TRUE(f.may_contain(key));
    EXPECT_EQ(*f.insert(key), Inserted::repeat);
    fresh += !before;
  }
  for (const auto& key : words(5000)) EXPECT_TRUE(f.may_contain(key));
  EXPECT_EQ(f.counts().offered, 10'000u);
  EXPECT_EQ(f.counts().inserted, fresh);
  EXPECT_GT(fresh, 4950u);
  ASSERT_TRUE(f.estimated_keys());
  EXPECT_NEAR(*f.estimated_keys(), 5000, 150);
}

TEST_P(EveryKind, BatchesAreAsOneByOneInOrder) {
  for (const std::size_t count : {0u, 1u, 2u, 63u, 511u, 512u, 513u, 3000u}) {
    auto list = words(count);
    for (std::size_t i = 0; i < count / 3; ++i) list.push_back(list[i * 2]);  // repeats inside the batch
    const auto keys = views(list);
    Filter single = make(2000), batch = make(2000);
    Flags fresh(keys.size());
    const auto inserted = batch.insert(std::span<const std::string_view>(keys), fresh.span());
    ASSERT_TRUE(inserted);
    std::uint64_t expected = 0;
    for (std::size_t i = 0; i < keys.size(); ++i) {
      const bool is_fresh = *single.insert(keys[i]) == Inserted::fresh;
      ASSERT_EQ(fresh.data[i], is_fresh) << i;
      expected += is_fresh;
    }
    EXPECT_EQ(*inserted, expected);
    EXPECT_TRUE(single == batch);
    EXPECT_EQ(single.counts(), batch.counts());

    const auto asked_list = words(2 * count + 1);
    const auto asked = views(asked_list);
    Flags answers(asked.size());
    const std::uint64_t maybes = batch.may_contain(std::span<const std::string_view>(asked), answers.span());
    EXPECT_EQ(maybes, static_cast<std::uint64_t>(std::count(answers.data.get(), answers.data.get() + asked.size(), true)));
    for (std::size_t i = 0; i < asked.size(); ++i) ASSERT_EQ(answers.data[i], single.may_contain(asked[i]));
  }
}

TEST_P(EveryKind, MergeHoldsExactlyTheBitsOfBoth) {
  Filter a = make(3000), b = make(3000), both = make(3000);
  for (const auto& key : words(1000)) ASSERT_TRUE(a.insert(key) && both.insert(key));
  for (const auto& key : words(1000, "other ")) ASSERT_TRUE(b.insert(key) && both.insert(key));
  const auto b_counts = b.counts();
  ASSERT_TRUE(a.merge(b));
  EXPECT_TRUE(a == both);
  EXPECT_EQ(b.counts(), b_counts);
  EXPECT_EQ(a.counts().estimated, GetParam().kind != Kind::exact);
  EXPECT_NEAR(static_cast<double>(a.counts().inserted), 2000, 40);
  if (GetParam().kind == Kind::counting) return;  // sums: with itself, every counter doubles
  ASSERT_TRUE(a.merge(a));
  EXPECT_TRUE(a == both);
}

TEST_P(EveryKind, IntersectionKeepsWhatIsInBoth) {
  Filter a = make(3000), b = make(3000);
  const auto common = words(500, "common "), mine = words(1000, "a "), theirs = words(1000, "b ");
  for (const auto& key : common) ASSERT_TRUE(a.insert(key) && b.insert(key));
  for (const auto& key : mine) ASSERT_TRUE(a.insert(key));
  for (const auto& key : theirs) ASSERT_TRUE(b.insert(key));
  ASSERT_TRUE(a.intersect(b));
  for (const auto& key : common) EXPECT_TRUE(a.may_contain(key));
  const auto passed = [&](const auto& list) {
    return std::count_if(list.begin(), list.end(), [&](const auto& key) { return a.may_contain(key); });
  };
  EXPECT_LT(passed(mine), 40);
  EXPECT_LT(passed(theirs), 40);
}

TEST_P(EveryKind, MismatchesNameTheFieldAndChangeNothing) {
  Filter a = make(1000);
  ASSERT_TRUE(a.insert(Hash{1, 2}));
  auto copy = a.clone();
  ASSERT_TRUE(copy);
  const Filter larger = make(100'000);
  auto other_hash = Filter::create({.kind = Kind::blocked, .expected_keys = 1000, .hasher = Hasher::xxh3(99)});
  ASSERT_TRUE(other_hash);
  for (const bool intersect : {false, true}) {
    const auto refused = intersect ? a.intersect(*other_hash) : a.merge(*other_hash);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, Errc::incompatible);
    if (GetParam().kind != Kind::exact) {
      const auto sized = intersect ? a.intersect(larger) : a.merge(larger);
      ASSERT_FALSE(sized);
      EXPECT_NE(sized.error().message.find(unit() + " differ"), std::string::npos) << sized.error().message;
    }
  }
  EXPECT_TRUE(a == *copy);
  EXPECT_EQ(a.counts(), copy->counts());
}

TEST_P(EveryKind, ClearForgetsAndCloneIsApart) {
  Filter a = make(100);
  ASSERT_TRUE(a.insert("apple"));
  auto copy = a.clone();
  ASSERT_TRUE(copy);
  EXPECT_TRUE(*copy == a);
  EXPECT_EQ(copy->counts(), a.counts());
  ASSERT_TRUE(a.clear());
  EXPECT_FALSE(a.may_contain("apple"));
  EXPECT_TRUE(copy->may_contain("apple"));
  EXPECT_FALSE(*copy == a);
  EXPECT_TRUE(a == make(100));
  EXPECT_EQ(a.counts(), Counts{});
}

TEST_P(EveryKind, FromPartsIsReadOnlyAndAnswersTheSame) {
  Filter f = make(2000);
  const auto list = words(2000);
  for (const auto& key : list) ASSERT_TRUE(f.insert(key));
  std::vector<std::byte> payload;
  const auto append = [](void* to, ConstBytes run) {
    auto& bytes = *static_cast<std::vector<std::byte>*>(to);
    bytes.insert(bytes.end(), run.begin(), run.end());
  };
  FilterAccess::visit_payload(f, 0, append, &payload);
  Segment segment = FilterAccess::file_segment(f, 0);
  segment.bytes = payload;
  auto frozen = Filter::from_parts(
      {.hasher = f.hasher(), .counts = f.counts(), .segments = {segment}, .owner = nullptr});
  ASSERT_TRUE(frozen) << frozen.error().message;
  EXPECT_TRUE(frozen->read_only());
  EXPECT_TRUE(*frozen == f);
  EXPECT_EQ(frozen->counts(), f.counts());
  for (const auto& key : list) EXPECT_TRUE(frozen->may_contain(key));
  for (const auto& key : words(2000, "absent ")) EXPECT_EQ(frozen->may_contain(key), f.may_contain(key));
  for (const auto op : {Filter::Op::insert, Filter::Op::insert_string, Filter::Op::merge, Filter::Op::intersect,
                        Filter::Op::erase})
    EXPECT_FALSE(frozen->can(op));
  EXPECT_EQ(frozen->insert("x").error().code, Errc::not_supported);
  EXPECT_EQ(frozen->merge(f).error().code, Errc::not_supported);
  EXPECT_EQ(frozen->clear().error().code, Errc::not_supported);
  auto thawed = frozen->clone();
  ASSERT_TRUE(thawed);
  EXPECT_TRUE(*thawed == f);
  ASSERT_TRUE(thawed->insert("x"));

  segment.bytes = ConstBytes(payload).first(payload.size() - 1);
  EXPECT_EQ(Filter::from_parts({.hasher = f.hasher(), .segments = {segment}, .owner = nullptr}).error().code,
            Errc::corrupt);
  EXPECT_FALSE(Filter::from_parts({.hasher = f.hasher(), .segments = {}, .owner = nullptr}));
}

INSTANTIATE_TEST_SUITE_P(Kinds, EveryKind,
                         testing::Values(Case{Kind::classic, Hasher::xxh3()}, Case{Kind::classic, Hasher::murmur3()},
                                         Case{Kind::classic, Hasher::siphash(some_secret())},
                                         Case{Kind::blocked, Hasher::xxh3()}, Case{Kind::blocked, Hasher::murmur3()},
                                         Case{Kind::blocked, Hasher::siphash(some_secret())},
                                         Case{Kind::exact, Hasher::xxh3()}, Case{Kind::counting, Hasher::xxh3()},
                                         Case{Kind::counting, Hasher::siphash(some_secret())}),
                         [](const auto& tested) {
                           return std::string(name(tested.param.kind)) + "_" + std::string(name(tested.param.hasher.id));
                         });

TEST(Filter, SeveralSegmentsAnswerAsOneAndInsertIntoTheLast) {
  auto f = Filter::create({.expected_keys = 1000, .fpr = 1e-4});
  const auto more = plan({.keys = 5000, .fpr = 1e-4});
  ASSERT_TRUE(f && more);
  const auto first = words(1000), second = words(5000, "second ");
  for (const auto& key : first) ASSERT_TRUE(f->insert(key));
  ASSERT_TRUE(f->append_segment(*more));
  EXPECT_EQ(f->segments().size(), 2u);
  auto mixed = second;
  mixed.insert(mixed.end(), first.begin(), first.end());
  const auto keys = views(mixed);
  Flags fresh(keys.size());
  ASSERT_TRUE(f->insert(std::span<const std::string_view>(keys), fresh.span()));
  const auto fresh_count = std::count(fresh.data.get(), fresh.data.get() + 5000, true);
  EXPECT_GT(fresh_count, 4990);
  EXPECT_EQ(std::count(fresh.data.get() + 5000, fresh.data.get() + keys.size(), true), 0);
  EXPECT_EQ(f->segments()[0].keys_inserted + f->segments()[1].keys_inserted, f->counts().inserted);
  Flags answers(keys.size());
  EXPECT_EQ(f->may_contain(std::span<const std::string_view>(keys), answers.span()), keys.size());
  EXPECT_NEAR(f->current_fpr(), static_cast<double>(f->segments().size()) * 1e-4, 0.6e-4);
  EXPECT_FALSE(f->can(Filter::Op::intersect));
  auto other = f->clone();
  ASSERT_TRUE(other);
  EXPECT_TRUE(*other == *f);
  EXPECT_EQ(f->intersect(*other).error().code, Errc::not_supported);
}

TEST(Filter, TheUnionOfSegmentsThatAreAlikeKnowsTheKeysOfBoth) {
  const auto grown = [](const char* prefix, std::uint64_t keys_of_second) {
    Filter f = std::move(*Filter::create({.expected_keys = 1000, .fpr = 1e-3}));
    for (const auto& key : words(800, prefix)) EXPECT_TRUE(f.insert(key));
    EXPECT_TRUE(f.append_segment(*plan({.keys = keys_of_second, .fpr = 1e-4})));
    for (const auto& key : words(1500, prefix)) EXPECT_TRUE(f.insert(key));
    return f;
  };
  Filter into = grown("a", 3000);
  const Filter from = grown("b", 3000), larger = grown("c", 4000);
  EXPECT_TRUE(into.can(Filter::Op::merge));
  const std::string refused = into.merge(larger).error().message;
  EXPECT_EQ(refused.substr(0, 25), "segment 1: lines differ: ") << refused;
  EXPECT_EQ(into.merge(*Filter::create({.expected_keys = 1000, .fpr = 1e-3})).error().message,
            "numbers of segments differ: 2 and 1");
  ASSERT_TRUE(into.merge(from));
  for (const char* prefix : {"a", "b"})
    for (const auto& key : words(1500, prefix)) ASSERT_TRUE(into.may_contain(key));
  EXPECT_NEAR(static_cast<double>(into.segments()[0].keys_inserted), 1600, 60);
  EXPECT_NEAR(static_cast<double>(into.segments()[1].keys_inserted), 1400, 60);
  EXPECT_EQ(into.counts().inserted, into.segments()[0].keys_inserted + into.segments()[1].keys_inserted);
  EXPECT_TRUE(into.counts().estimated);
}

TEST(Filter, PrecomputedTakesHashesOnly) {
  auto f = Filter::create({.expected_keys = 100, .hasher = Hasher::precomputed()});
  ASSERT_TRUE(f);
  EXPECT_EQ(f->insert("text").error().code, Errc::not_supported);
  EXPECT_TRUE(f->may_contain("anything"));
  ASSERT_TRUE(f->insert(Hash::from_u64(mix(77))));
  EXPECT_TRUE(f->may_contain(Hash::from_u64(mix(77))));
  const std::uint64_t keys[] = {mix(77), mix(78)};
  bool answers[2];
  EXPECT_EQ(f->may_contain(std::span<const std::uint64_t>(keys), answers), 1u);
  EXPECT_EQ(*f->insert(std::span<const std::uint64_t>(keys)), 1u);
}

TEST(Filter, RefusesNonsenseByName) {
  EXPECT_NE(Filter::create({.expected_keys = 1000, .fpr = 2}).error().message.find("fpr"), std::string::npos);
  EXPECT_NE(Filter::create({.expected_keys = 0}).error().message.find("keys"), std::string::npos);
  EXPECT_FALSE(Filter::create({.expected_keys = 1000, .hasher = {static_cast<HashId>(9), {}}}));
  auto article = plan({.kind = Kind::classic, .keys = 100, .fpr = 0.01, .article = true});
  ASSERT_TRUE(article);
  EXPECT_FALSE(Filter::create(*article, Hasher::xxh3()));
  EXPECT_FALSE(Filter::create({.kind = static_cast<Kind>(99), .expected_keys = 10}));
}

TEST(Filter, ExactReserveIsKept) {
  auto f = Filter::create({.kind = Kind::exact});
  ASSERT_TRUE(f);
  ASSERT_TRUE(f->reserve(10'000, 1 << 20));
  const std::uint64_t before = f->memory_bytes();
  for (const auto& key : words(10'000)) ASSERT_TRUE(f->insert(key));
  EXPECT_EQ(f->memory_bytes(), before);
  EXPECT_EQ(f->reserve(1'000'000, 1 << 20).error().code, Errc::full);
  EXPECT_EQ(f->size_bytes(), 160'000u);
}

}  // namespace
}  // namespace bloomery
