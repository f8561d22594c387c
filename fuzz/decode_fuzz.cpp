// Any bytes: they are refused, or they are safe to query, verify, copy and encode again.
#include <algorithm>
#include <cstdint>
#include <cstdlib>

#include "bloomery/file.hpp"

namespace {

constexpr std::size_t kCopyBytes = std::size_t{1} << 20;  // beyond, only O(header) work: keeps the runs short

void require(bool condition) {
  if (!condition) std::abort();
}

void query(const bloomery::Filter& filter) {
  for (std::uint64_t i = 0; i < 16; ++i)
    static_cast<void>(filter.may_contain(bloomery::Hash::from_u64(bloomery::mix(i + bloomery::kGolden))));
  static_cast<void>(filter.may_contain(bloomery::Hash{~std::uint64_t{0}, ~std::uint64_t{0}}));
  static_cast<void>(filter.may_contain("example.com/"));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const bloomery::ConstBytes bytes(reinterpret_cast<const std::byte*>(data), size);
  const auto filter = bloomery::decode(bytes, {.without_key = true});
  const bool sound = static_cast<bool>(bloomery::verify(bytes));
  require(filter || !sound);
  if (!filter) return 0;
  query(*filter);
  if (size > kCopyBytes) return 0;
  static_cast<void>(filter->current_fpr());
  static_cast<void>(filter->estimated_keys());
  static_cast<void>(filter->expected_fpr());
  const auto again = bloomery::encode(*filter);
  require(static_cast<bool>(again) && again->size() == size);
  if (sound) require(std::equal(again->begin(), again->end(), bytes.begin()));
  if (const auto copy = filter->clone()) query(*copy);
  return 0;
}
