// Batch kernels beside the physical limit: ns per key, and the ratio to reading (or reading and writing)
// one random 64-byte line per key, whichever way of prefetching is fastest. All in one run, interleaved.
//
//   kernels_bench [rounds [keys ...]]      default: 200 rounds of 1e5 2e6 2e7 keys, 10 bits per key
#include <immintrin.h>
#include <time.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "bloomery/kernel.hpp"
#include "core/memory.hpp"
#include "kernels/kernels.hpp"
#include "layout/layouts.hpp"

namespace bloomery {
namespace {

constexpr std::uint64_t kBitsPerKey = 10;
constexpr unsigned kProbes = 6;
constexpr std::size_t kQueries = std::size_t{1} << 21;
constexpr std::size_t kSlice = std::size_t{1} << 15;  // timed at once: short, so that some are undisturbed

std::uint64_t key_at(std::uint64_t i) { return mix(mix(i * kGolden) + kGolden); }

// Of this thread's processor time: others may share the machine. (Waiting for memory counts.)
double seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

// The machine is shared: the median of those rounds that lie within a tenth of the fastest.
double typical(std::vector<double> times) {
  std::sort(times.begin(), times.end());
  std::size_t good = 1;
  while (good < times.size() && times[good] <= times[0] * 1.1) ++good;
  return times[good / 2];
}

struct Work {
  std::string name;
  std::string limit;  // the group whose fastest member is the measure; a limit names its own group
  bool is_limit;
  std::string kernel;
  std::function<std::uint64_t(std::size_t from)> run;
  std::vector<double> times = {};
};

template <int kDistance, int kHint, bool kWrite>
std::uint64_t touch_lines(std::byte* bytes, std::uint64_t lines, const std::uint64_t* keys, std::size_t stride) {
  const auto line = [&](std::size_t i) { return bytes + high64(keys[i * stride], lines) * 64; };
#if defined(__AVX512F__)
  __m512i sum = _mm512_setzero_si512();
  const auto touch = [&](std::size_t i) {
    auto* p = reinterpret_cast<__m512i*>(line(i));
    const __m512i old = _mm512_load_si512(p);
    if constexpr (kWrite)
      _mm512_store_si512(p, _mm512_or_si512(old, _mm512_set1_epi64(static_cast<long long>(keys[i * stride] & 1))));
    else
      sum = _mm512_xor_si512(sum, old);
  };
#else
  __m128i sum = _mm_setzero_si128();
  const auto touch = [&](std::size_t i) {
    auto* p = reinterpret_cast<__m128i*>(line(i));
    for (int j = 0; j < 4; ++j)
      if constexpr (kWrite)
        p[j] = _mm_or_si128(p[j], _mm_set1_epi64x(static_cast<long long>(keys[i * stride] & 1)));
      else
        sum = _mm_xor_si128(sum, p[j]);
  };
#endif
  std::size_t i = 0;
  if constexpr (kDistance > 0)
    for (; i + kDistance < kSlice; ++i) {
      __builtin_prefetch(line(i + kDistance), 0, kHint);
      touch(i);
    }
  for (; i < kSlice; ++i) touch(i);
  std::uint64_t seen[sizeof sum / 8];
  std::memcpy(seen, &sum, sizeof sum);
  return seen[0];
}

void print(const std::vector<Work>& all, std::uint64_t keys) {
  std::printf("\n%.0f keys, %.1f MB\n%-34s %8s %8s\n", static_cast<double>(keys),
              static_cast<double>(keys * kBitsPerKey) / 8e6, "", "ns/key", "x limit");
  for (const Work& w : all) {
    double limit = 1e9;
    for (const Work& other : all)
      if (other.is_limit && other.limit == w.limit) limit = std::min(limit, typical(other.times));
    std::printf("%-34s %8.2f %8.2f\n", (w.kernel + " " + w.name).c_str(), typical(w.times),
                typical(w.times) / limit);
  }
}

struct Bench {
  explicit Bench(std::uint64_t key_count)
      : keys(key_count),
        shape{.kind = Kind::blocked, .probes = kProbes, .cells = (key_count * kBitsPerKey + 511) / 512},
        memory(std::move(*Memory::zeroed(shape.cells * 64))) {
    for (auto& h : mixed) {
      const std::uint64_t i = static_cast<std::uint64_t>(&h - mixed.data());
      h = Hash::from_u64(key_at(i % 2 == 0 ? high64(key_at(i + (1ULL << 41)), keys) : i + (1ULL << 40)));
      words.push_back(h.lo);
      present_words.push_back(key_at(high64(key_at(i + (1ULL << 42)), keys)));
    }
    std::vector<std::uint64_t> run;
    for (std::uint64_t i = 0; i < keys; ++i) {
      run.push_back(key_at(i));
      if (run.size() == 4096 || i + 1 == keys) {
        kernels::insert(shape, memory.bytes(), run, nullptr);
        run.clear();
      }
    }
  }

  template <int kDistance, int kHint>
  void add_limits(const char* name) {
    auto* bytes = memory.data();
    const auto* pairs = reinterpret_cast<const std::uint64_t*>(mixed.data());
    const std::uint64_t lines = shape.cells;
    works.push_back({std::string("read ") + name, "read", true, "limit",
                     [=, this](std::size_t from) {
                       return touch_lines<kDistance, kHint, false>(bytes, lines, words.data() + from, 1);
                     }});
    works.push_back({std::string("read, 16-byte keys, ") + name, "read16", true, "limit",
                     [=](std::size_t from) {
                       return touch_lines<kDistance, kHint, false>(bytes, lines, pairs + 2 * from, 2);
                     }});
    // Write to a copy: the answers below depend on the bits.
    works.push_back({std::string("write ") + name, "write", true, "limit", [=, this](std::size_t from) {
                       return touch_lines<kDistance, kHint, true>(scratch.data(), lines, words.data() + from, 1);
                     }});
  }

  void add_kernel(const std::string& kernel) {
    const auto slice = [](const auto& all, std::size_t from) { return std::span(all).subspan(from, kSlice); };
    works.push_back({"lookup words", "read", false, kernel, [=, this](std::size_t from) {
                       return kernels::may_contain(shape, memory.bytes(), slice(words, from), out.get());
                     }});
    works.push_back({"lookup hashes", "read16", false, kernel, [=, this](std::size_t from) {
                       return kernels::may_contain(shape, memory.bytes(), slice(mixed, from), out.get());
                     }});
    works.push_back({"insert words (count)", "write", false, kernel, [=, this](std::size_t from) {
                       return kernels::insert(shape, memory.bytes(), slice(present_words, from), nullptr);
                     }});
    works.push_back({"insert words (fresh)", "write", false, kernel, [=, this](std::size_t from) {
                       return kernels::insert(shape, memory.bytes(), slice(present_words, from), out.get());
                     }});
  }

  // Never the lines that the work before has just touched. The keys come from the cache: whoever hashed them
  // has just written them.
  std::size_t next_slice() {
    slice_ = (slice_ + kSlice) % kQueries;
    for (std::size_t i = slice_; i < slice_ + kSlice; ++i) sink = sink + (words[i] ^ present_words[i] ^ mixed[i].hi);
    return slice_;
  }

  void measure(int rounds) {
    for (int round = 0; round < rounds; ++round)
      for (Work& w : works) {
        if (!w.is_limit && !use_kernel(w.kernel)) continue;
        sink = sink + w.run(next_slice());  // its code, its answers and, if it fits, the segment come into the cache
        const std::size_t from = next_slice();
        const double start = seconds();
        sink = sink + w.run(from);
        w.times.push_back((seconds() - start) * 1e9 / kSlice);
      }
    print(works, keys);
  }

  std::uint64_t keys;
  Shape shape;
  Memory memory;
  Memory scratch = std::move(*Memory::zeroed(shape.cells * 64));
  std::vector<Hash> mixed = std::vector<Hash>(kQueries);  // half of them present
  std::vector<std::uint64_t> words, present_words;
  std::unique_ptr<bool[]> out = std::make_unique<bool[]>(kSlice);
  std::vector<Work> works;
  std::size_t slice_ = 0;
  volatile std::uint64_t sink = 0;
};

}  // namespace
}  // namespace bloomery

int main(int argc, char** argv) {
  const int rounds = argc > 1 ? std::atoi(argv[1]) : 200;
  std::vector<double> sizes{1e5, 2e6, 2e7};
  if (argc > 2) sizes.clear();
  for (int i = 2; i < argc; ++i) sizes.push_back(std::atof(argv[i]));
  for (double keys : sizes) {
    bloomery::Bench bench(static_cast<std::uint64_t>(keys));
    bench.add_limits<0, 0>("plain");
    bench.add_limits<48, 1>("L2, 48 ahead");
    bench.add_limits<32, 3>("L1, 32 ahead");
    for (auto kernel : bloomery::available_kernels()) bench.add_kernel(std::string(kernel));
    bench.measure(rounds);
  }
}
