#include "peers/peers.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <memory>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "pages.hpp"
#include "peers/article.hpp"

namespace bench::peers {
namespace {

constexpr unsigned kVectorProbes = 8;  // as many as one AVX2 vector tests
constexpr double kOneVectorUpTo = 14;  // bits per key up to which RocksDB stays with one vector
constexpr double kNearlyLeast = 1.02;  // fewer probes are worth 2% more false positives

// The mean over blocks of `block_bits` bits of rate(keys in the block); how many that are follows Poisson's law.
template <class Rate>
double mean_over_blocks(double bits_per_key, double block_bits, Rate rate) {
  const double mean_keys = block_bits / bits_per_key;
  double sum = 0;
  for (int keys = 0; keys < 12 * mean_keys + 40; ++keys)
    sum += std::exp(keys * std::log(mean_keys) - mean_keys - std::lgamma(keys + 1.0)) * rate(keys);
  return sum;
}

// Calls use(words, offset) for runs of keys as words: hashed, or as they are.
template <class Use>
void as_words(std::span<const std::uint64_t> keys, Use use) {
  use(keys, std::size_t{0});
}

template <class Use>
void as_words(std::span<const std::string_view> keys, Use use) {
  std::array<std::uint64_t, 1024> hashes;
  for (std::size_t at = 0; at < keys.size(); at += hashes.size()) {
    const std::size_t count = std::min(hashes.size(), keys.size() - at);
    for (std::size_t i = 0; i < count; ++i) hashes[i] = XXH3_64bits(keys[at + i].data(), keys[at + i].size());
    use(std::span<const std::uint64_t>(hashes.data(), count), at);
  }
}

bool runs_here() {
#if defined(__x86_64__)
  return __builtin_cpu_supports("avx2");
#else
  return false;
#endif
}

}  // namespace

double free_probes_fpr(double bits_per_key, unsigned k) {
  return mean_over_blocks(bits_per_key, 512,
                          [k](int keys) { return std::pow(1 - std::pow(511.0 / 512, keys * static_cast<int>(k)), k); });
}

double one_in_each_word_fpr(double bits_per_key, unsigned words, unsigned word_bits) {
  return mean_over_blocks(bits_per_key, words * word_bits,
                          [=](int keys) { return std::pow(1 - std::pow(1 - 1.0 / word_bits, keys), words); });
}

unsigned free_probes_for(double bits_per_key) {
  const unsigned most = bits_per_key <= kOneVectorUpTo ? kVectorProbes : 2 * kVectorProbes;
  double least = 1;
  for (unsigned k = 1; k <= most; ++k) least = std::min(least, free_probes_fpr(bits_per_key, k));
  unsigned k = 1;
  while (free_probes_fpr(bits_per_key, k) > kNearlyLeast * least) ++k;
  return k;
}

template <class Key>
std::optional<Contestant<Key>> block_peer(const BlockPeer& peer, const Size& size) {
  if (!runs_here()) return {};
  const double bits = static_cast<double>(size.keys) * size.bits_per_key;
  const auto count = static_cast<std::uint64_t>(std::ceil(bits / (8.0 * static_cast<double>(peer.block_bytes))));
  const auto pages = std::make_shared<Pages>(count * peer.block_bytes);
  const Blocks blocks = {pages->data(), count, free_probes_for(size.bits_per_key), pages->size()};
  Contestant<Key> c;
  c.name = peer.name;
  c.size_bits = count * peer.block_bytes * 8;
  c.bytes = [pages] { return pages->bytes(); };
  c.clear = [pages] { std::memset(pages->data(), 0, pages->size()); };
  c.insert = [=, &peer](auto keys) {
    as_words(keys, [&](auto words, std::size_t) { peer.insert(blocks, words.data(), words.size()); });
  };
  c.lookup = [=, &peer](auto keys, bool* out) {
    std::uint64_t maybes = 0;
    as_words(keys,
             [&](auto words, std::size_t at) { maybes += peer.lookup(blocks, words.data(), words.size(), out + at); });
    return maybes;
  };
  if constexpr (std::is_same_v<Key, std::uint64_t>) {
    c.insert_singles = [=, &peer](auto keys) { peer.insert_singles(blocks, keys.data(), keys.size()); };
    c.lookup_singles = [=, &peer](auto keys) { return peer.lookup_singles(blocks, keys.data(), keys.size()); };
  }
  return c;
}

template <class Key>
std::optional<Contestant<Key>> article(const Size& size) {
  const auto bits = static_cast<std::uint64_t>(std::ceil(static_cast<double>(size.keys) * size.bits_per_key));
  const auto filter =
      std::make_shared<ArticleFilter>(bits, static_cast<unsigned>(std::lround(size.bits_per_key * std::log(2.0))));
  Contestant<Key> c;
  c.name = kArticle;
  c.size_bits = bits;
  c.bytes = [filter] { return filter->bytes(); };
  c.clear = [filter] { filter->clear(); };
  c.insert = [filter](auto keys) {
    for (const Key key : keys) filter->insert(key);
  };
  c.lookup = [filter](auto keys, bool* out) {
    std::uint64_t maybes = 0;
    for (const Key key : keys) maybes += * out++ = filter->contains(key);
    return maybes;
  };
  return c;
}

template std::optional<Contestant<std::uint64_t>> block_peer(const BlockPeer&, const Size&);
template std::optional<Contestant<std::string_view>> block_peer(const BlockPeer&, const Size&);
template std::optional<Contestant<std::uint64_t>> article(const Size&);
template std::optional<Contestant<std::string_view>> article(const Size&);

}  // namespace bench::peers
