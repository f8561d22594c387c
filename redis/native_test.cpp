// Filters of our own, without a server: what is added is found, whatever happens to the filter in between.
#include <cstring>

#include "redis/chain.hpp"
#include "redis/native_testing.hpp"

namespace bloomery::redis {
namespace {

TEST_F(NativeTest, GrowsByTheRuleOfCompatibleFilters) {
  const auto native = Native::create(Kind::blocked, 0.01, 100, 3);
  const auto chain = Chain::create(0.01, 100, 3);
  ASSERT_TRUE(native && chain);
  EXPECT_GT(add(*native, 0, 5000).fresh, 4900u);
  EXPECT_EQ(found(*native, 0, 5000), 5000);
  EXPECT_LT(found(*native, 100'000, 110'000), 130);
  const Info info = native->info();
  EXPECT_EQ(info.filters, 5u);
  EXPECT_EQ(info.capacity, 100u * (1 + 3 + 9 + 27 + 81));
  EXPECT_EQ(info.expansion, 3u);
  EXPECT_NEAR(native->estimate(), 5000, 200);
  EXPECT_EQ(native->describe().size(), 5u);
  EXPECT_GE(native->memory_bytes(), info.size_bytes);
}

TEST_F(NativeTest, StopsWhereItMayNotGrow) {
  const auto fixed = Native::create(Kind::blocked, 1e-6, 10, 0);
  const Answers answers = add(*fixed, 0, 20);
  EXPECT_EQ(answers.answered, 11u);
  EXPECT_EQ(answers.last, Added::full);
  EXPECT_EQ(add(*fixed, 0, 10).repeats, 10u);  // those it has
  const auto growing = Native::create(Kind::blocked, 1e-6, 10, 2);
  const Answers limited = add(*growing, 0, 20, growing->info().size_bytes);
  EXPECT_EQ(limited.answered, 20u);
  EXPECT_EQ(limited.fresh, 10u);
  EXPECT_EQ(limited.last, Added::over_limit);
  EXPECT_EQ(growing->info().filters, 1u);
}

TEST_F(NativeTest, CountsAndTakesOut) {
  const auto native = Native::create(Kind::counting, 1e-6, 100, 0);
  add(*native, 0, 50);
  add(*native, 0, 50);
  EXPECT_EQ(native->count("7"), 2u);
  EXPECT_TRUE(native->erase("7"));
  EXPECT_TRUE(native->erase("7"));
  EXPECT_FALSE(native->erase("7"));
  EXPECT_EQ(found(*native, 0, 50), 49);
  for (int i = 0; i < 20; ++i) add(*native, 8, 9);
  EXPECT_EQ(native->count("8"), native->counter_maximum());
}

TEST_F(NativeTest, MergesWhatGrewAlike) {
  const auto made = [](int first, int last) {
    auto native = Native::create(Kind::blocked, 0.01, 100, 2);
    add(*native, first, last);
    return native;
  };
  const auto into = made(0, 250), from = made(1000, 1290), shorter = made(0, 50);
  EXPECT_EQ(into->why_not_merge(*shorter), "numbers of filters differ: 2 and 1");
  EXPECT_EQ(into->why_not_merge(*from), "");
  EXPECT_EQ(into->merge(*from), Native::Changed::yes);
  EXPECT_EQ(into->merge(*from), Native::Changed::no);
  EXPECT_EQ(found(*into, 0, 250) + found(*into, 1000, 1290), 540);
  EXPECT_NEAR(static_cast<double>(into->info().items), 540, 40);
  EXPECT_EQ(into->info().filters, 2u);
  add(*into, 2000, 2100);  // its filters hold more than they were planned for: the next one takes these
  EXPECT_EQ(into->info().filters, 3u);
  EXPECT_EQ(found(*into, 0, 250) + found(*into, 1000, 1290) + found(*into, 2000, 2100), 640);
  const auto other_rate = Native::create(Kind::blocked, 0.001, 100, 2),
             window = Native::create(Kind::windowed, 0.01, 100, 0);
  EXPECT_NE(shorter->why_not_merge(*other_rate), "");
  EXPECT_EQ(shorter->why_not_merge(*window), "windowed filters cannot be merged");
}

TEST_F(NativeTest, FoldsAndForgets) {
  auto native = Native::create(Kind::blocked, 0.001, 10'000, 0);
  add(*native, 0, 1000);
  const std::uint64_t lines = native->info().size_bytes / 64;
  std::uint64_t by = 2;
  while (lines % by != 0) ++by;
  EXPECT_EQ(native->fold(by), "");
  EXPECT_EQ(native->info().size_bytes, 64 * (lines / by));
  EXPECT_EQ(found(*native, 0, 1000), 1000);
  EXPECT_NE(native->fold(lines + 1), "");
  ASSERT_TRUE(native->reset());
  EXPECT_EQ(found(*native, 0, 1000), 0);
  EXPECT_EQ(native->info().items, 0u);
}

TEST_F(NativeTest, RefusedMemoryIsAnAnswer) {
  auto native = Native::create(Kind::blocked, 1e-6, 1000, 2);
  add(*native, 0, 900);
  const std::string head = native->header();
  refuse_from = 1;
  EXPECT_FALSE(Native::create(Kind::blocked, 0.01, 1000, 2));
  EXPECT_FALSE(timed(1000, 5));
  EXPECT_FALSE(native->clone());
  EXPECT_FALSE(native->reset());
  EXPECT_FALSE(Native::from_header(head));
  EXPECT_NE(native->fold(2), "");
  const Answers answers = add(*native, 900, 1100);
  EXPECT_EQ(answers.fresh, 100u);
  EXPECT_EQ(answers.last, Added::no_memory);
  EXPECT_EQ(found(*native, 0, 1000), 1000);
  refuse_from = ~std::size_t{0};
  EXPECT_EQ(add(*native, 1000, 1100).fresh, 100u);
  EXPECT_EQ(native->info().filters, 2u);
}

TEST_F(NativeTest, BlocksMoveWithTheirBytes) {
  auto native = Native::create(Kind::blocked, 0.001, 100, 2);
  add(*native, 0, 1000);
  const std::string before = whole(*native);
  struct Mover {
    std::size_t shift = 0, calls = 0;
  } mover;
  // Another alignment each time, as another allocator would have.
  const auto move = [](void* context, void* block) -> void* {
    Mover& m = *static_cast<Mover*>(context);
    if (++m.calls % 3 == 0) return nullptr;
    const std::size_t size = malloc_usable_size(block);
    std::vector<void*> skipped;
    void* fresh = nullptr;
    for (int i = 0; i < 8; ++i) {  // leaves some behind, so that the address differs
      fresh = std::malloc(size);
      if (reinterpret_cast<std::uintptr_t>(fresh) % 64 != reinterpret_cast<std::uintptr_t>(block) % 64) break;
      skipped.push_back(fresh);
      skipped.push_back(std::malloc(16));
      fresh = nullptr;
    }
    if (!fresh) fresh = std::malloc(size);
    std::memcpy(fresh, block, size);
    std::free(block);
    for (void* p : skipped) std::free(p);
    return fresh;
  };
  std::size_t blocks = 0;
  for (int round = 0; round < 5; ++round) {
    for (blocks = 0; native->move_block(blocks, move, &mover); ++blocks) {
    }
    EXPECT_EQ(whole(*native), before);
  }
  EXPECT_EQ(blocks, native->info().filters);
  EXPECT_EQ(found(*native, 0, 1000), 1000);
  EXPECT_GT(add(*native, 2000, 4000).fresh, 1900u);
}

}  // namespace
}  // namespace bloomery::redis
