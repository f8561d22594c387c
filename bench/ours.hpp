// bloomery as contestants: one for each kernel, and each layout.
#pragma once
#include "contestant.hpp"

namespace bench {

inline constexpr const char* kOurs = "bloomery";
inline constexpr const char* kDirect = "direct, from nothing";  // what a build is compared with

// "bloomery avx2": the default layout with this kernel; strings are hashed by `aes`.
std::string ours_with(std::string_view kernel);

// Kernels of this machine worth showing, the fastest first.
std::vector<std::string> kernels_to_show(Field field);

template <class Key>
Contestant<Key> ours_blocked(const Size& size, std::string_view kernel);
// The default layout and the default hash of strings, where the others of ours take `aes`.
Contestant<std::string_view> ours_xxh3(const Size& size);
template <class Key>
Contestant<Key> ours_classic(const Size& size);

}  // namespace bench
