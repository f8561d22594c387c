// What the server does with values behind the commands' back: moving them, and freeing them in another thread.
#include "redis/value_type.hpp"

#include <cstring>
#include <thread>

#include "redis/chain.hpp"
#include "redis/memory.hpp"
#include "redis/native_testing.hpp"

namespace bloomery::redis {
namespace {

// The server's side of a value that is moved.
struct Mover {
  bool hurries = false;     // there is time for one block only
  bool has_cursor = false;  // none for a value that is small
  unsigned long cursor = 0;
  std::size_t moved = 0;
};

Mover& mover_of(DefragContext* context) noexcept { return *reinterpret_cast<Mover*>(context); }

void* move_away(DefragContext* context, void* block) {
  ++mover_of(context).moved;
  const std::size_t bytes = malloc_usable_size(block);
  void* fresh = std::malloc(bytes);
  std::memcpy(fresh, block, bytes);
  std::free(block);
  return fresh;
}

class BehindTheirBack : public NativeTest {
 protected:
  void SetUp() override {
    NativeTest::SetUp();
    api.move_block = move_away;
    api.should_stop_defrag = [](DefragContext* context) -> int { return mover_of(context).hurries; };
    api.set_defrag_cursor = [](DefragContext* context, unsigned long cursor) {
      mover_of(context).cursor = cursor;
      return mover_of(context).has_cursor ? kOk : kErr;
    };
    api.get_defrag_cursor = [](DefragContext* context, unsigned long* cursor) {
      *cursor = mover_of(context).cursor;
      return mover_of(context).has_cursor ? kOk : kErr;
    };
  }
  void TearDown() override {
    api = old_api_;
    memory = old_memory_;
    NativeTest::TearDown();
  }

 private:
  const Api old_api_ = api;
  const Allocator old_memory_ = memory;
};

int move_on(Mover& mover, void*& kept) {
  return value_methods().defrag(reinterpret_cast<DefragContext*>(&mover), nullptr, &kept);
}

void moves_in_steps(Bloom& filter) {
  void* kept = static_cast<Value*>(&filter);
  const std::string head = filter.header();
  Mover mover = {.hurries = true, .has_cursor = true};
  std::size_t calls = 1;
  while (move_on(mover, kept) == 1 && calls < 100) ++calls;
  EXPECT_EQ(mover.moved, filter.info().filters);
  EXPECT_EQ(calls, filter.info().filters + 1);
  Mover at_once = {.hurries = true};
  EXPECT_EQ(move_on(at_once, kept), 0);
  EXPECT_EQ(at_once.moved, filter.info().filters);
  EXPECT_EQ(filter.header(), head);
}

TEST_F(BehindTheirBack, ValuesMoveABlockAtATime) {
  const auto native = Native::create(Kind::blocked, 0.01, 100, 2);
  add(*native, 0, 1000);
  moves_in_steps(*native);
  EXPECT_EQ(found(*native, 0, 1000), 1000);
  const auto chain = Chain::create(0.01, 100, 2);
  for (int i = 0; i < 1000; ++i) chain->add(std::to_string(i), kNoLimit);
  ASSERT_GT(chain->info().filters, 3u);
  moves_in_steps(*chain);
  EXPECT_EQ(found(*chain, 0, 1000), 1000);
}

// The server frees what takes more than 64 steps elsewhere.
TEST_F(BehindTheirBack, OnlyLargeValuesAreFreedElsewhere) {
  const auto effort = [](const Value& value) { return value_methods().free_effort(nullptr, &value); };
  EXPECT_EQ(effort(*Chain::create(0.01, 100, 2)), 1u);
  EXPECT_EQ(effort(*Native::create(Kind::blocked, 0.01, 100, 2)), 1u);
  EXPECT_GT(effort(*Chain::create(0.01, 5'000'000, 2)), 64u);
  EXPECT_GT(effort(*Native::create(Kind::blocked, 0.01, 5'000'000, 2)), 64u);
}

TEST_F(BehindTheirBack, OneThreadFreesWhileAnotherMakes) {
  api.try_calloc = [](std::size_t count, std::size_t bytes) { return std::calloc(count, bytes); };
  api.free = [](void* block) { std::free(block); };
  api.malloc_size = [](void* block) -> std::size_t { return malloc_usable_size(block); };
  use_server_memory();
  const std::uint64_t alive = Value::alive, bytes = bytes_in_use();
  const auto make = [](int i) -> std::unique_ptr<Value> {
    if (i % 2) return Native::create(Kind::blocked, 0.01, 100, 2);
    return Chain::create(0.01, 100, 2);
  };
  std::vector<std::unique_ptr<Value>> doomed;
  for (int i = 0; i < 500; ++i) doomed.push_back(make(i));
  EXPECT_EQ(Value::alive, alive + 500);
  EXPECT_GT(bytes_in_use(), bytes);
  std::thread other([&doomed] {
    for (auto& value : doomed) value_methods().free(value.release());
  });
  for (int i = 0; i < 500; ++i) make(i);
  other.join();
  EXPECT_EQ(Value::alive, alive);
  EXPECT_EQ(bytes_in_use(), bytes);
}

}  // namespace
}  // namespace bloomery::redis
