// SipHash-2-4 with 128 bits of output: a keyed hash that nobody can aim without the key.
// Source: Aumasson and Bernstein, "SipHash: a fast short-input PRF", 2012. Own code because the
// library that has it does not exist for every platform we build for; a test compares the two.
#pragma once
#include <string_view>

#include "bloomery/hash.hpp"

namespace bloomery {

// lo and hi are the first and second output word. Cost: O(key.size()).
Hash siphash_2_4_128(std::string_view key, const SecretKey& secret) noexcept;

}  // namespace bloomery
