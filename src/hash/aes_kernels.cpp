// HashId::aes by vector instructions: this file is compiled once per instruction set.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "hash/aes_kernels.cpp"
#define HWY_DISABLED_TARGETS (HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV)
#ifndef HWY_WANT_AVX3_DL
#define HWY_WANT_AVX3_DL  // the one with AES rounds in vectors of 64 bytes
#endif
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "hash/aes.hpp"

HWY_BEFORE_NAMESPACE();
namespace bloomery {
namespace HWY_NAMESPACE {

#if HWY_TARGET == HWY_SCALAR || HWY_TARGET == HWY_EMU128
inline Hash hash_one(std::string_view key, std::uint64_t seed) { return aes_hash_portable(key, seed); }
#elif HWY_TARGET == HWY_AVX3_DL
#include "hash/aes_avx512-inl.hpp"
#else
#include "hash/aes_lanes-inl.hpp"
#endif

// `static`: each set has its own, and its constants need an address at compile time.
static Hash hash_key(std::string_view key, std::uint64_t seed) { return hash_one(key, seed); }

static void hash_keys(const std::string_view* keys, std::size_t count, std::uint64_t seed, Hash* out) {
  // Keys whose first and last bytes are asked for early. Of 16 to 128, and with or without the last bytes, this was
  // the fastest for URLs that lie one behind the other in memory: 6.7 ns, where 5.6 is what reading them takes.
  constexpr std::size_t kAhead = 64;
  std::size_t i = 0;
  for (; i + kAhead < count; ++i) {
    const std::string_view later = keys[i + kAhead];
    __builtin_prefetch(later.data());
    __builtin_prefetch(later.data() + later.size());
    out[i] = hash_one(keys[i], seed);
  }
  for (; i < count; ++i) out[i] = hash_one(keys[i], seed);
}

constexpr AesKernel make_kernel(std::string_view name) { return {name, hash_key, hash_keys}; }

}  // namespace HWY_NAMESPACE
}  // namespace bloomery
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include <algorithm>
#include <atomic>
#include <cstdlib>

namespace bloomery {
namespace {

struct Candidate {
  std::int64_t target;
  AesKernel kernel;
};

void portable_keys(const std::string_view* keys, std::size_t count, std::uint64_t seed, Hash* out) {
  std::transform(keys, keys + count, out, [=](std::string_view key) { return aes_hash_portable(key, seed); });
}

constexpr Candidate kCandidates[] = {
#if HWY_TARGETS & HWY_AVX3_DL
    {HWY_AVX3_DL, N_AVX3_DL::make_kernel("avx512")},
#endif
#if HWY_TARGETS & HWY_AVX3
    {HWY_AVX3, N_AVX3::make_kernel("avx512")},
#endif
#if HWY_TARGETS & HWY_AVX2
    {HWY_AVX2, N_AVX2::make_kernel("avx2")},
#endif
#if HWY_TARGETS & HWY_SSE4
    {HWY_SSE4, N_SSE4::make_kernel("sse4")},
#endif
#if HWY_TARGETS & HWY_SSSE3
    {HWY_SSSE3, N_SSSE3::make_kernel("ssse3")},
#endif
#if HWY_TARGETS & HWY_NEON
    {HWY_NEON, N_NEON::make_kernel("neon")},
#endif
#if HWY_TARGETS & HWY_WASM
    {HWY_WASM, N_WASM::make_kernel("wasm")},
#endif
    {0, {"scalar", [](std::string_view key, std::uint64_t seed) { return aes_hash_portable(key, seed); },
         portable_keys}},
};

struct Available {
  const AesKernel* kernels[std::size(kCandidates)];
  std::size_t count = 0;

  Available() noexcept {
    for (const Candidate& c : kCandidates)
      if (c.target == 0 || (c.target & hwy::SupportedTargets()) != 0) kernels[count++] = &c.kernel;
  }
};

const AesKernel& kernel_named(std::string_view name) noexcept {
  const auto all = aes_kernels();
  const auto found = std::find_if(all.begin(), all.end(), [&](const AesKernel* k) { return k->name == name; });
  return found != all.end() ? **found : *all.front();
}

std::atomic<const AesKernel*>& chosen() noexcept {
  static std::atomic<const AesKernel*> chosen = [] {
    const char* wish = std::getenv("BLOOMERY_KERNEL");
    return &kernel_named(wish != nullptr ? wish : "");
  }();
  return chosen;
}

}  // namespace

std::span<const AesKernel* const> aes_kernels() noexcept {
  static const Available available;
  return {available.kernels, available.count};
}

void use_aes_kernel(std::string_view name) noexcept { chosen().store(&kernel_named(name), std::memory_order_relaxed); }

Hash aes_hash(std::string_view key, std::uint64_t seed) noexcept {
  return chosen().load(std::memory_order_relaxed)->hash_key(key, seed);
}

void aes_hashes(std::span<const std::string_view> keys, std::uint64_t seed, std::span<Hash> out) noexcept {
  chosen().load(std::memory_order_relaxed)->hash_keys(keys.data(), keys.size(), seed, out.data());
}

}  // namespace bloomery
#endif
