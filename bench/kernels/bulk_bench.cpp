// Building a blocked filter of 8-byte hashes: directly, and by partition with more and less scratch memory,
// beside reading and writing one random 64-byte line per key. ns per key.
//
//   bulk_bench [rounds [keys [bits per key [threads]]]]      default: 3 rounds of 2e8 keys, 10 bits, one thread
#include <time.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/memory.hpp"
#include "kernels/bulk.hpp"
#include "kernels/kernels.hpp"
#include "layout/layouts.hpp"

namespace bloomery {
namespace {

// By the clock on the wall: several threads may be at work.
double seconds() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

struct alignas(64) Line {
  std::uint64_t word[8];
};

void touch_lines(Bytes bytes, std::span<const std::uint64_t> keys) {
  constexpr std::size_t kDistance = 48;
  auto* lines = reinterpret_cast<Line*>(bytes.data());
  const std::uint64_t count = bytes.size() / sizeof(Line);
  for (std::size_t i = 0; i + kDistance < keys.size(); ++i) {
    __builtin_prefetch(lines + high64(keys[i + kDistance], count), 0, 1);
    const std::uint64_t key = keys[i];
    for (auto& w : lines[high64(key, count)].word) w |= key;
  }
}

struct Work {
  std::string name;
  std::function<void()> run;
  std::vector<double> times = {};
};

void measure(std::vector<Work>& works, int rounds, Memory& memory, std::uint64_t keys) {
  for (int round = -1; round < rounds; ++round)  // the first is not counted: memory may be new to the machine
    for (Work& w : works) {
      std::fill(memory.bytes().begin(), memory.bytes().end(), std::byte{0});
      const double start = seconds();
      w.run();
      if (round >= 0) w.times.push_back((seconds() - start) * 1e9 / static_cast<double>(keys));
    }
  double limit = 0;
  for (Work& w : works) {
    std::sort(w.times.begin(), w.times.end());
    const double median = w.times[w.times.size() / 2];
    if (limit == 0) limit = median;
    std::printf("%-36s %8.2f ns (fastest %.2f) %8.2f x limit\n", w.name.c_str(), median, w.times[0], median / limit);
  }
}

}  // namespace
}  // namespace bloomery

int main(int argc, char** argv) {
  using namespace bloomery;
  const int rounds = argc > 1 ? std::atoi(argv[1]) : 3;
  const auto count = static_cast<std::uint64_t>(argc > 2 ? std::atof(argv[2]) : 2e8);
  const auto bits = static_cast<std::uint64_t>(argc > 3 ? std::atoi(argv[3]) : 10);
  const auto threads = static_cast<unsigned>(argc > 4 ? std::atoi(argv[4]) : 1);
  const Shape shape{.kind = Kind::blocked,
                    .probes = static_cast<std::uint8_t>(bits < 12 ? 6 : 7),
                    .cells = (count * bits + 511) / 512};
  auto memory = Memory::zeroed(shape.cells * 64), key_memory = Memory::zeroed(count * 8);
  if (!memory || !key_memory) return std::puts("bulk_bench: not enough memory"), 2;
  const std::span<std::uint64_t> keys(reinterpret_cast<std::uint64_t*>(key_memory->data()), count);
  for (std::uint64_t i = 0; i < count; ++i) keys[i] = mix(mix(i * kGolden) + kGolden);

  std::vector<Work> works{{"limit: read and write a line", [&] { touch_lines(memory->bytes(), keys); }},
                          {"direct", [&] { kernels::insert(shape, memory->bytes(), keys, nullptr); }}};
  const auto add = [&](std::uint64_t scratch) {
    const std::string name = std::to_string(scratch >> 20) + " MiB" +
                             (kernels::partitioning_pays(shape, count, {scratch, threads}) ? "" : " (direct)");
    works.push_back({"bulk, scratch " + name,
                     [&, scratch] { kernels::insert_bulk(shape, memory->bytes(), keys, {scratch, threads}); }});
    const auto stream = std::make_shared<kernels::BulkStream>(shape, memory->bytes(), count,
                                                              kernels::BulkMeans{scratch, threads});
    works.push_back({"bulk, scratch kept, " + name, [&, stream] {
                       stream->add(keys);
                       stream->flush();
                     }});
  };
  for (std::uint64_t scratch = count * 17 / 2; scratch > (std::uint64_t{16} << 20); scratch /= 3) add(scratch);
  measure(works, rounds, *memory, count);
}
