// Windowed filters: generations of blocked lines (ours) against age-partitioned Bloom filters (Shtul, Baquero, Almeida
// 2020), at about the same rate: bits for each key of the window, the rate of strangers, ns to insert and to ask.
//   windowed_bench [WINDOW]        default 10000000
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <utility>
#include <vector>

#include "bloomery/filter.hpp"
#include "hash/nth_hash.hpp"
#include "kernels/processor_time.hpp"

namespace {

using namespace bloomery;

// k + l slices in a ring; a key sets a bit in the k youngest, and is found while k neighbours have its bits. A shift
// every window / l keys drops the oldest slice. Slices are half full at the age k.
class AgePartitioned {
 public:
  AgePartitioned(std::uint64_t window, unsigned k, unsigned l)
      : k_(k), l_(l), generation_((window + l - 1) / l),
        bits_(static_cast<std::uint64_t>(std::ceil(static_cast<double>(k * generation_) / std::log(2.0))) / 64 * 64 + 64),
        words_((k + l) * (bits_ / 64)) {}

  double size_bits() const { return static_cast<double>(words_.size()) * 64; }

  void insert(Hash h) {
    if (inserted_ == generation_) shift();
    ++inserted_;
    for (unsigned i = 0; i < k_; ++i) {
      const std::uint64_t bit = bit_of(h, i);
      words_[bit / 64] |= std::uint64_t{1} << bit % 64;
    }
  }

  void prefetch(Hash h) const { __builtin_prefetch(&words_[bit_of(h, l_) / 64], 0, 1); }

  bool may_contain(Hash h) const {
    unsigned before = 0, count = 0;
    for (int i = static_cast<int>(l_); i >= 0;) {
      const std::uint64_t bit = bit_of(h, static_cast<unsigned>(i));
      if ((words_[bit / 64] >> bit % 64 & 1) != 0) {
        ++i;
        if (++count + before == k_) return true;
      } else {
        i -= static_cast<int>(k_);
        before = std::exchange(count, 0);
      }
    }
    return false;
  }

 private:
  // Of the i-th youngest slice.
  std::uint64_t bit_of(Hash h, unsigned i) const {
    const std::uint64_t slice = (i + first_) % (k_ + l_);
    return slice * bits_ + high64(mix(h.lo + slice * (h.hi | 1)), bits_);
  }
  void shift() {
    first_ = (first_ + k_ + l_ - 1) % (k_ + l_);
    std::fill_n(words_.begin() + static_cast<std::ptrdiff_t>(first_ * (bits_ / 64)), bits_ / 64, 0);
    inserted_ = 0;
  }

  unsigned k_, l_;
  std::uint64_t generation_, bits_;
  std::vector<std::uint64_t> words_;
  std::uint64_t first_ = 0, inserted_ = 0;
};

constexpr std::uint64_t kStrangers = 1 << 21;

void print(const char* name, double bits, std::uint64_t window, std::uint64_t maybes, double insert_ns, double ask_ns) {
  std::printf("%-26s %7.2f  %9.6f  %7.1f %7.1f\n", name, bits / static_cast<double>(window),
              static_cast<double>(maybes) / kStrangers, insert_ns, ask_ns);
  std::fflush(stdout);
}

void ours(std::uint64_t window, double fpr, const std::vector<Hash>& strangers) {
  const auto planned = plan({.kind = Kind::windowed, .keys = window, .fpr = fpr});
  auto filter = Filter::create(*planned, Hasher::precomputed());
  if (!filter) std::abort();
  const std::uint64_t sightings = 2 * window;
  double insert_ns = 0;
  std::vector<Hash> batch(4096);
  for (std::uint64_t i = 0; i < sightings; i += batch.size()) {
    for (std::size_t j = 0; j < batch.size(); ++j) batch[j] = nth_hash(i + j);
    const double start = processor_ns();
    if (!filter->insert(batch)) std::abort();
    insert_ns += processor_ns() - start;
  }
  const auto out = std::make_unique<bool[]>(kStrangers);
  std::uint64_t maybes = 0;
  double ask_ns = 1e300;
  for (int turn = 0; turn < 3; ++turn) {
    const double start = processor_ns();
    maybes = filter->may_contain(strangers, {out.get(), kStrangers});
    ask_ns = std::min(ask_ns, processor_ns() - start);
  }
  char name[64];
  std::snprintf(name, sizeof name, "generations, %g asked", fpr);
  print(name, static_cast<double>(planned->size_bytes) * 8, window, maybes, insert_ns / static_cast<double>(sightings),
        ask_ns / kStrangers);
}

void theirs(std::uint64_t window, unsigned k, unsigned l, const std::vector<Hash>& strangers) {
  AgePartitioned filter(window, k, l);
  const std::uint64_t sightings = 2 * window;
  double start = processor_ns();
  for (std::uint64_t i = 0; i < sightings; ++i) filter.insert(nth_hash(i));
  const double insert_ns = processor_ns() - start;
  std::uint64_t maybes = 0;
  start = processor_ns();
  for (std::uint64_t i = 0; i < kStrangers; ++i) {
    if (i + 16 < kStrangers) filter.prefetch(strangers[i + 16]);
    maybes += filter.may_contain(strangers[i]);
  }
  char name[64];
  std::snprintf(name, sizeof name, "age-partitioned, %u + %u", k, l);
  print(name, filter.size_bits(), window, maybes, insert_ns / static_cast<double>(sightings),
        (processor_ns() - start) / kStrangers);
}

}  // namespace

int main(int argc, char** argv) {
  const auto window = static_cast<std::uint64_t>(argc > 1 ? std::strtod(argv[1], nullptr) : 1e7);
  std::vector<Hash> strangers(kStrangers);
  for (std::uint64_t i = 0; i < kStrangers; ++i) strangers[i] = nth_hash((std::uint64_t{1} << 40) + i);
  std::printf("filter                     bits/key       rate   insert     ask   (ns)\n");
  for (const double fpr : {0.01, 1e-3, 1e-5}) ours(window, fpr, strangers);
  for (const auto& [k, l] : {std::pair{9U, 4U}, {10U, 7U}, {11U, 20U}, {13U, 50U}, {12U, 4U}, {14U, 14U}, {15U, 30U}, {18U, 8U}})
    theirs(window, k, l, strangers);
  return 0;
}
