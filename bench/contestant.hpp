// What takes part in the benchmarks: a filter, as a handful of functions over batches of keys.
#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace bench {

struct Size {
  std::uint64_t keys = 0;
  double bits_per_key = 0;
};

// A function that is empty is not offered. What has no batches of its own offers its loop over single keys as a batch.
template <class Key>
struct Contestant {
  using Keys = std::span<const Key>;
  std::string name;
  std::uint64_t size_bits = 0;
  std::function<std::span<const std::byte>()> bytes;  // where the filter lies
  std::function<void()> clear;                        // empty, all pages touched
  std::function<void(Keys)> insert;
  std::function<void(Keys)> insert_singles;
  std::map<std::string, std::function<void(Keys)>> builds;  // operation -> all keys at once, into an empty filter
  std::function<std::uint64_t(Keys, bool* out)> lookup;
  std::function<std::uint64_t(Keys)> lookup_singles;  // both return how many were maybes
};

template <class Key>
using Contestants = std::vector<Contestant<Key>>;

enum class Field {
  all,
  main,  // the best kernels and the peers that the goals name
  fast   // without those that take several times as long as the others
};

// THE list: everybody who can make a filter of this size; ours first. contestants.cpp
template <class Key>
Contestants<Key> make_contestants(const Size& size, Field field);

}  // namespace bench
