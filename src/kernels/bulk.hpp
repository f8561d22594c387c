// Inserting very many keys at once, by line range: the memory of a large segment is walked through instead
// of being jumped about in.
#pragma once
#include <cstdint>
#include <memory>
#include <span>

#include "bloomery/layout.hpp"

namespace bloomery::kernels {

// When to partition, and how. The defaults were measured.
struct BulkRule {
  // A smaller segment lies in the last cache, where nothing is gained by one thread ...
  std::uint64_t least_segment_bytes = std::uint64_t{64} << 20;
  // ... but several can only share the work by line range.
  std::uint64_t least_segment_bytes_of_threads = std::uint64_t{4} << 20;
  // Every pass reads and writes all lines: with fewer keys per line it is cheaper to touch single lines.
  std::uint64_t least_keys_per_line = 4;
  // More in one pass saves less than it costs to have the scratch memory given and zeroed by the system.
  std::uint64_t most_keys_per_line = 12;
  // A partition's lines (256 KiB) should stay in the second-level cache while its keys come in ...
  unsigned partition_lines_log2 = 12;
  // ... but the stages of all partitions should too, while keys are taken.
  std::uint64_t most_partitions = 1024;
};

// What a bulk insertion may take.
struct BulkMeans {
  std::uint64_t scratch_bytes = 0;
  unsigned threads = 1;  // at most kMaxThreads
};

// Leaves the bytes, and returns the count, of insert(shape, bytes, keys, nullptr). May use scratch_bytes of
// memory beside the segment, and inserts directly, in this thread, where partitioning would not pay (few keys
// per line, several lines per key, other kinds) or the memory is not to be had.
// Threads share the keys first, then the line ranges: no two write to one line, and the keys of a line come in
// their order, so that the count does not depend on the number of threads.
// REQUIRES: as insert. Cost: scratch of less than about half the segment's size changes nothing.
std::uint64_t insert_bulk(const Shape& shape, Bytes bytes, std::span<const Hash> keys, const BulkMeans& means,
                          const BulkRule& rule = {}) noexcept;
std::uint64_t insert_bulk(const Shape& shape, Bytes bytes, std::span<const std::uint64_t> keys,
                          const BulkMeans& means, const BulkRule& rule = {}) noexcept;

class Partitions;

// The same for keys that come little by little: they are in after flush(), earlier where partitioning does not
// pay. Both functions return how many of the keys that went in just now were fresh.
class BulkStream {
 public:
  // expected_keys: about how many will come. REQUIRES: as insert, for as long as this lives.
  BulkStream(const Shape& shape, Bytes bytes, std::uint64_t expected_keys, const BulkMeans& means,
             const BulkRule& rule = {}) noexcept;
  BulkStream(BulkStream&&) noexcept;
  BulkStream& operator=(BulkStream&&) noexcept;
  ~BulkStream();

  std::uint64_t add(std::span<const Hash> keys) noexcept { return add_all(keys); }
  std::uint64_t add(std::span<const std::uint64_t> keys) noexcept { return add_all(keys); }
  std::uint64_t flush() noexcept;

 private:
  template <class Key>
  std::uint64_t add_all(std::span<const Key> keys) noexcept;

  Shape shape_;
  Bytes bytes_;
  unsigned lines_log2_ = 0;
  unsigned threads_ = 1;
  std::unique_ptr<Partitions> partitions_;  // null: directly
};

// Does insert_bulk partition, given this much of everything?
bool partitioning_pays(const Shape& shape, std::uint64_t keys, const BulkMeans& means,
                       const BulkRule& rule = {}) noexcept;

// A scratch size for a segment: its own size or 64 MiB if that is more, at most a quarter of free memory.
std::uint64_t default_scratch_bytes(std::uint64_t segment_bytes) noexcept;

}  // namespace bloomery::kernels
