#include "cli/experiment/random.hpp"

#include <algorithm>

namespace cli::experiment {

void random_hashes(Random& random, const bloomery::Hasher& hasher, std::span<bloomery::Hash> out) noexcept {
  constexpr std::size_t kBatch = 512;
  std::array<Item, kBatch> items;
  std::array<std::string_view, kBatch> texts;
  while (!out.empty()) {
    const std::size_t count = std::min(kBatch, out.size());
    for (std::size_t i = 0; i < count; ++i) {
      items[i] = random_item(random);
      texts[i] = text(items[i]);
    }
    hasher(std::span(texts).first(count), out.first(count));
    out = out.subspan(count);
  }
}

}  // namespace cli::experiment
