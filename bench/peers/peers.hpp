// The peers as contestants. Each gets the best shape that its published version has: batches with prefetch, vector
// instructions, huge pages. None where a peer cannot make a filter of that size, or is not on this machine.
#pragma once
#include <optional>

#include "contestant.hpp"
#include "peers/block_peer.hpp"

namespace bench {

inline constexpr const char* kArticle = "the article's filter";

namespace peers {

// The designs with one block for each key. Strings are hashed by XXH3, in runs.
template <class Key>
std::optional<Contestant<Key>> block_peer(const BlockPeer& peer, const Size& size);

template <class Key>
std::optional<Contestant<Key>> article(const Size& size);

// Debian's libbloom: 32-bit sizes, one key at a time; words go in as their eight bytes.
template <class Key>
std::optional<Contestant<Key>> libbloom(const Size& size);

// LevelDB's built-in filter policy: built at once from all keys; made for blocks of some thousand of them.
template <class Key>
std::optional<Contestant<Key>> leveldb_policy(const Size& size);

// The expected false-positive rate of k bits anywhere in 512, over lines that filled as chance had it.
double free_probes_fpr(double bits_per_key, unsigned k);
// The same for one bit in each of `words` words of `word_bits` bits.
double one_in_each_word_fpr(double bits_per_key, unsigned words, unsigned word_bits);

}  // namespace peers
}  // namespace bench
