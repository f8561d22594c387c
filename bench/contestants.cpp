#include <type_traits>

#include "contestant.hpp"
#include "ours.hpp"
#include "peers/peers.hpp"

namespace bench {

template <class Key>
Contestants<Key> make_contestants(const Size& size, Field field) {
  Contestants<Key> all;
  const auto add = [&](std::optional<Contestant<Key>> contestant) {
    if (contestant) all.push_back(*std::move(contestant));
  };
  for (const std::string& kernel : kernels_to_show(field)) add(ours_blocked<Key>(size, kernel));
  if constexpr (std::is_same_v<Key, std::string_view>) add(ours_xxh3(size));
#if defined(__x86_64__)
  add(peers::block_peer<Key>(peers::kMultiblock, size));
  if (field != Field::fast) add(peers::block_peer<Key>(peers::kFreeProbes, size));
  if (field == Field::all) add(peers::block_peer<Key>(peers::kSplitBlock, size));
#endif
  if (field != Field::fast) add(peers::article<Key>(size));
  if (field != Field::all) return all;
  add(ours_classic<Key>(size));
  add(peers::libbloom<Key>(size));
  add(peers::leveldb_policy<Key>(size));
  return all;
}

template Contestants<std::uint64_t> make_contestants(const Size&, Field);
template Contestants<std::string_view> make_contestants(const Size&, Field);

}  // namespace bench
