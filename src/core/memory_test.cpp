#include "core/memory.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <utility>

#include "bloomery/allocator.hpp"

namespace bloomery {
namespace {

bool all_zero(std::span<const std::byte> bytes) {
  return std::all_of(bytes.begin(), bytes.end(), [](std::byte b) { return b == std::byte{0}; });
}

TEST(Memory, IsZeroedAndAlignedAtEverySize) {
  for (const std::uint64_t size : {std::uint64_t{1}, std::uint64_t{63}, std::uint64_t{64}, std::uint64_t{100'000},
                                   std::uint64_t{Memory::kHugeBytes - 1}, std::uint64_t{Memory::kHugeBytes},
                                   std::uint64_t{Memory::kHugeBytes * 3 + 17}}) {
    auto memory = Memory::zeroed(size);
    ASSERT_TRUE(memory);
    ASSERT_EQ(memory->size(), size);
    EXPECT_TRUE(all_zero(memory->bytes()));
    const auto address = reinterpret_cast<std::uintptr_t>(memory->data());
    EXPECT_EQ(address % (size >= Memory::kHugeBytes ? Memory::kHugeBytes : 64), 0u);
  }
  EXPECT_TRUE(Memory::zeroed(0));
}

TEST(Memory, GrowthKeepsContentAndAddsZeros) {
  auto memory = Memory::zeroed(10);
  ASSERT_TRUE(memory);
  std::size_t filled = 0;
  for (const std::size_t size : {std::size_t{1000}, Memory::kHugeBytes / 2, Memory::kHugeBytes + 5,
                                 Memory::kHugeBytes + 6, Memory::kHugeBytes * 4 + 1}) {
    ASSERT_TRUE(memory->grow(size));
    ASSERT_EQ(memory->size(), size);
    for (std::size_t i = 0; i < filled; ++i) ASSERT_EQ(memory->data()[i], std::byte{0x5a}) << i;
    EXPECT_TRUE(all_zero(memory->bytes().subspan(filled)));
    std::fill(memory->data() + filled, memory->data() + size, std::byte{0x5a});
    filled = size;
  }
}

TEST(Memory, MovesLeaveNothingBehind) {
  auto a = Memory::zeroed(Memory::kHugeBytes);
  ASSERT_TRUE(a);
  Memory b = std::move(*a);
  EXPECT_EQ(a->size(), 0u);
  *a = std::move(b);
  EXPECT_EQ(a->size(), Memory::kHugeBytes);
}

TEST(Memory, RefusesTheAbsurdWithoutTouchingAnything) {
  const auto absurd = Memory::zeroed(std::uint64_t{1} << 60);
  ASSERT_FALSE(absurd);
  EXPECT_EQ(absurd.error().code, Errc::no_memory);
  auto small = Memory::zeroed(100);
  ASSERT_TRUE(small);
  EXPECT_FALSE(small->grow(std::uint64_t{1} << 60));
  EXPECT_EQ(small->size(), 100u);
  auto large = Memory::zeroed(Memory::kHugeBytes);
  ASSERT_TRUE(large);
  EXPECT_FALSE(large->grow(std::uint64_t{1} << 60));
  EXPECT_EQ(large->size(), Memory::kHugeBytes);
}

TEST(Memory, ShrinkingKeepsTheFirstBytes) {
  for (const std::size_t from : {std::size_t{1000}, Memory::kHugeBytes * 5})
    for (const std::size_t to : {std::size_t{0}, std::size_t{10}, from / 5 * 4, from}) {
      auto memory = Memory::zeroed(from);
      ASSERT_TRUE(memory);
      std::fill_n(memory->data(), from, std::byte{0x33});
      ASSERT_TRUE(memory->shrink(to));
      ASSERT_EQ(memory->size(), to);
      for (std::size_t i = 0; i < to; ++i) ASSERT_EQ(memory->data()[i], std::byte{0x33});
    }
}

std::size_t blocks = 0;

TEST(Memory, BlocksThatMoveKeepTheirBytesAtEveryAlignment) {
  alignas(64) static std::byte arena[2][4096];
  use_allocator({.zeroed = [](std::size_t) noexcept -> void* { return std::fill_n(arena[0], sizeof arena[0], std::byte{0}) - sizeof arena[0]; },
                 .release = [](void*) noexcept {},
                 .usable = [](void*) noexcept { return sizeof arena[0]; }});
  for (std::size_t shift = 0; shift < 64; ++shift) {
    auto memory = Memory::zeroed(1000);
    ASSERT_TRUE(memory);
    for (std::size_t i = 0; i < 1000; ++i) memory->data()[i] = static_cast<std::byte>(i * 7 + shift);
    memory->move_block(
        [](void* context, void* block) -> void* {
          std::byte* const target = arena[1] + *static_cast<std::size_t*>(context);
          std::copy_n(static_cast<std::byte*>(block), 1064, target);
          return target;
        },
        &shift);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(memory->data()) % 64, 0u);
    EXPECT_GE(memory->data(), arena[1]);
    for (std::size_t i = 0; i < 1000; ++i) ASSERT_EQ(memory->data()[i], static_cast<std::byte>(i * 7 + shift));
    memory->move_block([](void*, void*) -> void* { return nullptr; }, nullptr);
    EXPECT_EQ(memory->data()[1], static_cast<std::byte>(7 + shift));
  }
  use_allocator({});
  auto own = Memory::zeroed(100);
  own->move_block([](void*, void*) -> void* { return arena; }, nullptr);
  EXPECT_TRUE(own->data() < arena[0] || own->data() >= arena[1] + sizeof arena[1]);
}

TEST(Memory, ComesFromTheProgramsAllocatorWhenThereIsOne) {
  use_allocator({.zeroed = [](std::size_t bytes) noexcept -> void* {
                   if (bytes > 100'000'000) return nullptr;
                   ++blocks;
                   return std::calloc(bytes, 1);
                 },
                 .release = [](void* block) noexcept { --blocks; std::free(block); },
                 .usable = [](void*) noexcept { return std::size_t{12345}; }});
  {
    auto memory = Memory::zeroed(10);
    ASSERT_TRUE(memory);
    std::fill_n(memory->data(), 10, std::byte{1});
    Memory moved = std::move(*memory);
    ASSERT_TRUE(moved.grow(Memory::kHugeBytes + 1));
    EXPECT_EQ(moved.data()[9], std::byte{1});
    EXPECT_EQ(moved.data()[10], std::byte{0});
    ASSERT_TRUE(moved.shrink(Memory::kHugeBytes));
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(moved.data()) % 64, 0u);
    EXPECT_EQ(moved.held_bytes(), 12345u);
    EXPECT_EQ(blocks, 1u);
    EXPECT_FALSE(Memory::zeroed(100'000'001));
  }
  use_allocator({});
  EXPECT_EQ(blocks, 0u);
}

}  // namespace
}  // namespace bloomery
