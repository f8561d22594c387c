// The loops of a BlockPeer over a Design, which has: kBlockBytes, index(key, count), insert(block, key, k) and
// contains(block, key, k). Prefetching far ahead into the L2 suited all of them best where the filter exceeds it.
#pragma once
#include "peers/block_peer.hpp"

namespace bench::peers {

template <class Design>
struct BlockLoops {
  static constexpr std::size_t kDistance = 48;
  static constexpr std::size_t kPrefetchFromBytes = 1'500'000;

  static std::byte* block_of(const Blocks& blocks, std::uint64_t key) noexcept {
    return blocks.bytes + Design::index(key, blocks.count) * Design::kBlockBytes;
  }

  static void insert(const Blocks& blocks, const std::uint64_t* keys, std::size_t count) {
    std::size_t i = 0;
    if (blocks.size_bytes >= kPrefetchFromBytes) {
      for (; i + kDistance < count; ++i) {
        __builtin_prefetch(block_of(blocks, keys[i + kDistance]), 0, 1);
        Design::insert(block_of(blocks, keys[i]), keys[i], blocks.k);
      }
    }
    insert_singles(blocks, keys + i, count - i);
  }

  static void insert_singles(const Blocks& blocks, const std::uint64_t* keys, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) Design::insert(block_of(blocks, keys[i]), keys[i], blocks.k);
  }

  static std::uint64_t lookup(const Blocks& blocks, const std::uint64_t* keys, std::size_t count, bool* out) {
    std::uint64_t maybes = 0;
    std::size_t i = 0;
    const auto answer = [&] { maybes += out[i] = Design::contains(block_of(blocks, keys[i]), keys[i], blocks.k); };
    if (blocks.size_bytes >= kPrefetchFromBytes) {
      for (; i + kDistance < count; ++i) {
        __builtin_prefetch(block_of(blocks, keys[i + kDistance]), 0, 1);
        answer();
      }
    }
    for (; i < count; ++i) answer();
    return maybes;
  }

  static std::uint64_t lookup_singles(const Blocks& blocks, const std::uint64_t* keys, std::size_t count) {
    std::uint64_t maybes = 0;
    for (std::size_t i = 0; i < count; ++i) maybes += Design::contains(block_of(blocks, keys[i]), keys[i], blocks.k);
    return maybes;
  }

  static constexpr BlockPeer peer(const char* name) {
    return {name, Design::kBlockBytes, insert, insert_singles, lookup, lookup_singles};
  }
};

}  // namespace bench::peers
