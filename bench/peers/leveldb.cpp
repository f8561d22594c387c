#include <leveldb/filter_policy.h>
#include <leveldb/slice.h>

#include <memory>

#include "peers/peers.hpp"

namespace bench::peers {
namespace {

constexpr std::uint64_t kMostKeys =
    20'000'000;  // more than a block will ever have; the slices alone take 16 bytes each

leveldb::Slice slice_of(const std::uint64_t& key) { return {reinterpret_cast<const char*>(&key), sizeof key}; }
leveldb::Slice slice_of(const std::string_view& key) { return {key.data(), key.size()}; }

struct Filter {
  std::unique_ptr<const leveldb::FilterPolicy> policy;
  std::string bits;
  std::vector<leveldb::Slice> slices;  // of the keys to build from, made once

  template <class Key>
  void build(std::span<const Key> keys) {
    if (slices.size() != keys.size() || slices.empty() || slices[0].data() != slice_of(keys[0]).data()) {
      slices.clear();
      for (const Key& key : keys) slices.push_back(slice_of(key));
    }
    bits.clear();
    policy->CreateFilter(slices.data(), static_cast<int>(slices.size()), &bits);
  }
};

}  // namespace

template <class Key>
std::optional<Contestant<Key>> leveldb_policy(const Size& size) {
  if (size.keys > kMostKeys) return {};
  const auto filter = std::make_shared<Filter>();
  filter->policy.reset(leveldb::NewBloomFilterPolicy(static_cast<int>(size.bits_per_key)));
  Contestant<Key> c;
  c.name = "LevelDB's policy";
  c.size_bits = size.keys * static_cast<std::uint64_t>(size.bits_per_key);
  c.bytes = [filter] { return std::as_bytes(std::span(filter->bits)); };
  c.clear = [filter] { filter->bits.clear(); };
  c.builds["build"] = [filter](auto keys) { filter->build(keys); };
  c.lookup = [filter](auto keys, bool* out) {
    std::uint64_t maybes = 0;
    const leveldb::Slice bits(filter->bits);
    for (const Key& key : keys) maybes += * out++ = filter->policy->KeyMayMatch(slice_of(key), bits);
    return maybes;
  };
  return c;
}

template std::optional<Contestant<std::uint64_t>> leveldb_policy(const Size&);
template std::optional<Contestant<std::string_view>> leveldb_policy(const Size&);

}  // namespace bench::peers
