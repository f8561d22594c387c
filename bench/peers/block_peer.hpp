// Published designs in which a key touches one block: the loops they share.
#pragma once
#include <cstddef>
#include <cstdint>

namespace bench::peers {

// A run of blocks. k: how many bits a key sets, where the design leaves that open.
struct Blocks {
  std::byte* bytes = nullptr;
  std::uint64_t count = 0;
  unsigned k = 0;
  std::size_t size_bytes = 0;
};

struct BlockPeer {
  const char* name;
  std::size_t block_bytes;
  void (*insert)(const Blocks&, const std::uint64_t* keys, std::size_t count);
  void (*insert_singles)(const Blocks&, const std::uint64_t* keys, std::size_t count);
  std::uint64_t (*lookup)(const Blocks&, const std::uint64_t* keys, std::size_t count, bool* out);
  std::uint64_t (*lookup_singles)(const Blocks&, const std::uint64_t* keys, std::size_t count);
};

// 256 bits as eight words of 32, one bit in each: the split block filter of the Apache Parquet format.
extern const BlockPeer kSplitBlock;
// 512 bits, k probes anywhere in them: as RocksDB's FastLocalBloom.
extern const BlockPeer kFreeProbes;
// 512 bits as eight words of 64, one bit in each: as Boost.Bloom's fast_multiblock64 with K = 8.
extern const BlockPeer kMultiblock;

// How many probes are best for this many bits per key: 6 at 10, as RocksDB chooses.
unsigned free_probes_for(double bits_per_key);

}  // namespace bench::peers
