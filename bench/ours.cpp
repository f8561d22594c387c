#include "ours.hpp"

#include <bloomery/filter.hpp>
#include <bloomery/kernel.hpp>
#include <memory>
#include <type_traits>

#include "or_die.hpp"

namespace bench {
namespace {

using bloomery::Filter;

bloomery::Hash single(std::uint64_t key) { return bloomery::Hash::from_u64(key); }
std::string_view single(std::string_view key) { return key; }

bloomery::Plan plan_for(const Size& size, bloomery::Kind kind) {
  return or_die(bloomery::plan({.kind = kind, .keys = size.keys, .bits_per_key = size.bits_per_key}));
}

// Filling at once, with more and less scratch memory, where the filter is large enough that it differs.
template <class Choose>
void add_builds(Contestant<std::uint64_t>& c, const std::shared_ptr<Filter>& filter, Choose choose) {
  using Keys = std::span<const std::uint64_t>;
  constexpr std::uint64_t kMiB = std::uint64_t{1} << 20;
  if (filter->kind() != bloomery::Kind::blocked || filter->size_bytes() < 64 * kMiB) return;
  c.builds[kDirect] = [=](Keys keys) {
    choose();
    or_die(filter->insert(keys));
  };
  const auto add = [&](const char* operation, auto scratch_of) {
    c.builds[operation] = [=](Keys keys) {
      choose();
      or_die(filter->insert_bulk(keys, {.scratch_bytes = scratch_of(keys)}));
    };
  };
  add("build, 8 B per key", [](Keys keys) { return 8 * keys.size(); });
  add("build, 256 MiB", [](Keys) { return 256 * kMiB; });
  add("build, the filter's size", [size = filter->size_bytes()](Keys) { return size; });
}

// Words are hashes already; strings take the fastest hash.
template <class Key>
bloomery::Hasher hasher_for() {
  return std::is_same_v<Key, std::string_view> ? bloomery::Hasher::aes() : bloomery::Hasher();
}

// Every operation begins by choosing the kernel: contestants take turns in one process.
template <class Key>
Contestant<Key> contestant(std::string name, const bloomery::Plan& plan, const std::string& kernel,
                           const bloomery::Hasher& hasher = hasher_for<Key>()) {
  using Keys = std::span<const Key>;
  const auto filter = std::make_shared<Filter>(or_die(Filter::create(plan, hasher)));
  const auto choose = [kernel] { or_die(bloomery::use_kernel(kernel)); };
  Contestant<Key> c;
  c.name = std::move(name);
  c.size_bits = filter->size_bytes() * 8;
  c.bytes = [filter] { return filter->segments()[0].bytes; };
  c.clear = [filter] { or_die(filter->clear()); };
  c.insert = [=](Keys keys) {
    choose();
    or_die(filter->insert(keys));
  };
  c.insert_singles = [=](Keys keys) {
    choose();
    for (const Key key : keys) or_die(filter->insert(single(key)));
  };
  if constexpr (std::is_same_v<Key, std::uint64_t>) add_builds(c, filter, choose);
  c.lookup = [=](Keys keys, bool* out) {
    choose();
    return filter->may_contain(keys, std::span(out, keys.size()));
  };
  c.lookup_singles = [=](Keys keys) {
    choose();
    std::uint64_t maybes = 0;
    for (const Key key : keys) maybes += filter->may_contain(single(key));
    return maybes;
  };
  return c;
}

}  // namespace

std::string ours_with(std::string_view kernel) { return std::string(kOurs).append(" ").append(kernel); }

std::vector<std::string> kernels_to_show(Field field) {
  std::vector<std::string> kernels;
  for (const std::string_view kernel : bloomery::available_kernels()) {
    const bool fast = kernel != "scalar" && kernel.substr(0, 4) != "ssse" && kernel.substr(0, 3) != "sse";
    if (kernel != "ssse3" && (fast || field == Field::all)) kernels.emplace_back(kernel);
  }
  return kernels;
}

template <class Key>
Contestant<Key> ours_blocked(const Size& size, std::string_view kernel) {
  return contestant<Key>(ours_with(kernel), plan_for(size, bloomery::Kind::blocked), std::string(kernel));
}

template <class Key>
Contestant<Key> ours_classic(const Size& size) {
  return contestant<Key>(ours_with("classic"), plan_for(size, bloomery::Kind::classic),
                         std::string(bloomery::available_kernels().front()));
}

Contestant<std::string_view> ours_xxh3(const Size& size) {
  return contestant<std::string_view>(ours_with("xxh3"), plan_for(size, bloomery::Kind::blocked),
                                      std::string(bloomery::available_kernels().front()), bloomery::Hasher::xxh3());
}

template Contestant<std::uint64_t> ours_blocked(const Size&, std::string_view);
template Contestant<std::string_view> ours_blocked(const Size&, std::string_view);
template Contestant<std::uint64_t> ours_classic(const Size&);
template Contestant<std::string_view> ours_classic(const Size&);

}  // namespace bench
