#include <bloom.h>

#include <cmath>
#include <limits>
#include <memory>

#include "peers/peers.hpp"

namespace bench::peers {
namespace {

struct Filter {
  struct bloom bits = {};
  ~Filter() { bloom_free(&bits); }
};

const char* data_of(const std::uint64_t& key) { return reinterpret_cast<const char*>(&key); }
const char* data_of(const std::string_view& key) { return key.data(); }
int size_of(const std::uint64_t&) { return sizeof(std::uint64_t); }
int size_of(const std::string_view& key) { return static_cast<int>(key.size()); }

}  // namespace

template <class Key>
std::optional<Contestant<Key>> libbloom(const Size& size) {
  if (static_cast<double>(size.keys) * size.bits_per_key > std::numeric_limits<int>::max()) return {};
  const auto filter = std::make_shared<Filter>();
  const double ln2 = std::log(2.0);
  if (bloom_init(&filter->bits, static_cast<int>(size.keys), std::exp(-size.bits_per_key * ln2 * ln2)) != 0) return {};
  Contestant<Key> c;
  c.name = "libbloom";
  c.size_bits = static_cast<std::uint64_t>(filter->bits.bits);
  c.bytes = [filter] {
    return std::as_bytes(std::span(filter->bits.bf, static_cast<std::size_t>(filter->bits.bytes)));
  };
  c.clear = [filter] { bloom_reset(&filter->bits); };
  c.insert = [filter](auto keys) {
    for (const Key& key : keys) bloom_add(&filter->bits, data_of(key), size_of(key));
  };
  c.lookup = [filter](auto keys, bool* out) {
    std::uint64_t maybes = 0;
    for (const Key& key : keys) maybes += * out++ = bloom_check(&filter->bits, data_of(key), size_of(key)) == 1;
    return maybes;
  };
  return c;
}

template std::optional<Contestant<std::uint64_t>> libbloom(const Size&);
template std::optional<Contestant<std::string_view>> libbloom(const Size&);

}  // namespace bench::peers
