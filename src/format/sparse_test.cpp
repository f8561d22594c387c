// Law 7: sizes are 64-bit everywhere. Filters of more than 2^33 bits, in files that are nearly all hole.
#include <fcntl.h>
#include <unistd.h>

#include "format/testing.hpp"
#include "layout/layouts.hpp"

namespace bloomery::testing {
namespace {

// A file with this one segment, all zeros, as ftruncate makes them. Its chunk sums are not right, and
// open does not look at them.
void make_sparse(const std::filesystem::path& path, const Shape& shape) {
  format::Header header;
  header.segments.push_back({.shape = shape, .planned_keys = 1'000'000'000, .planned_fpr = 0.01, .bytes = {}});
  ASSERT_TRUE(place(header));
  write_file(path, serialize(header, std::vector<std::uint64_t>(header.chunks())));
  ASSERT_EQ(::truncate(path.c_str(), static_cast<off_t>(header.file_bytes)), 0);
}

std::uint64_t payload_start(const std::filesystem::path& path) { return unwrap(inspect(path)).header_bytes; }

void set_bit(const std::filesystem::path& path, std::uint64_t bit) {
  const int fd = ::open(path.c_str(), O_RDWR | O_CLOEXEC);
  ASSERT_GE(fd, 0);
  const auto at = static_cast<off_t>(payload_start(path) + bit / 8);
  unsigned char byte = 0;
  EXPECT_EQ(::pread(fd, &byte, 1, at), 1);
  byte = static_cast<unsigned char>(byte | 1u << (bit % 8));
  EXPECT_EQ(::pwrite(fd, &byte, 1, at), 1);
  ::close(fd);
}

// The bits of a key, from the definitions of the layouts.
std::vector<std::uint64_t> bits_of(const Shape& shape, Hash h) {
  std::vector<std::uint64_t> bits;
  if (shape.kind == Kind::classic) {
    Classic::every_probe(shape, h, [&](std::uint64_t bit) { return bits.push_back(bit), true; });
    return bits;
  }
  Blocked::every_line(shape, h, [&](std::uint64_t w) {
    const std::uint64_t line = Blocked::line_of(w, shape.cells), pattern = Blocked::pattern_of(w);
    for (unsigned j = 0; j < Blocked::kWords; ++j)
      if ((Blocked::subsets(shape.probes)[w % 64] >> j & 1) != 0)
        bits.push_back(line * Blocked::kLineBits + j * 64 + (pattern >> (8 * j)) % 64);
    return true;
  });
  return bits;
}

std::uint64_t resident_bytes() {
  std::ifstream in("/proc/self/statm");
  std::uint64_t total = 0, resident = 0;
  in >> total >> resident;
  return resident * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
}

void expect_planted_keys_found(const Shape& shape) {
  constexpr std::uint64_t kPlanted = 20;
  TempFolder folder;
  const auto path = folder / "sparse.blm";
  make_sparse(path, shape);
  std::uint64_t beyond = 0;
  for (std::uint64_t i = 0; i < kPlanted; ++i)
    for (const std::uint64_t bit : bits_of(shape, test_hash(i))) {
      set_bit(path, bit);
      beyond += bit > std::uint64_t{1} << 32;
    }
  EXPECT_GT(beyond, 0u);
  const std::uint64_t before = resident_bytes();
  const Filter filter = unwrap(open(path));
  for (std::uint64_t i = 0; i < kPlanted; ++i) EXPECT_TRUE(filter.may_contain(test_hash(i)));
  for (std::uint64_t i = kPlanted; i < 1000; ++i) EXPECT_FALSE(filter.may_contain(test_hash(i)));
  EXPECT_EQ(filter.memory_bytes(), 0u);
  EXPECT_LT(resident_bytes(), before + (std::uint64_t{256} << 20));
}

TEST(Sparse, ClassicBeyondFourGibibits) {
  expect_planted_keys_found({.kind = Kind::classic, .rule = Classic::kMixedRule, .probes = 7,
                             .cells = (std::uint64_t{1} << 33) + 12'345});
}

TEST(Sparse, BlockedBeyondFourGibibits) {
  expect_planted_keys_found({.kind = Kind::blocked, .probes = 6, .lines_per_key = 2,
                             .cells = (std::uint64_t{1} << 24) + 321});
}

}  // namespace
}  // namespace bloomery::testing
