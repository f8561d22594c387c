// Lines become hashes, a batch at a time.
#pragma once
#include <array>
#include <memory>
#include <span>
#include <string_view>

#include "bloomery/hash.hpp"
#include "cli/fields.hpp"
#include "cli/input.hpp"

namespace cli {

// Room for the hashes of one batch and for one answer per line.
class HashBatch {
 public:
  explicit HashBatch(const bloomery::Hasher& hasher, const KeyField& field = {}) : hasher_(hasher), field_(field) {}

  const bloomery::Hasher& hasher() const noexcept { return hasher_; }

  // Valid until the next call. REQUIRES: lines.size() <= LineReader::kMaxBatch.
  std::span<const bloomery::Hash> of(std::span<const std::string_view> lines) noexcept {
    const std::span<bloomery::Hash> hashes = std::span(*hashes_).first(lines.size());
    if (field_.number == 0) {
      hasher_(lines, hashes);
      return hashes;
    }
    const std::span<std::string_view> keys = std::span(*keys_).first(lines.size());
    for (std::size_t i = 0; i < lines.size(); ++i) keys[i] = field_.of(lines[i]);
    hasher_(keys, hashes);
    return hashes;
  }

  // What of() gave last, for so many lines.
  std::span<const bloomery::Hash> last(std::size_t count) const noexcept { return std::span(*hashes_).first(count); }

  // REQUIRES: count <= LineReader::kMaxBatch.
  std::span<bool> answers(std::size_t count) noexcept { return std::span(*answers_).first(count); }

 private:
  using Hashes = std::array<bloomery::Hash, LineReader::kMaxBatch>;
  using Keys = std::array<std::string_view, LineReader::kMaxBatch>;
  using Answers = std::array<bool, LineReader::kMaxBatch>;
  bloomery::Hasher hasher_;
  KeyField field_;
  std::unique_ptr<Keys> keys_ = std::make_unique<Keys>();
  std::unique_ptr<Hashes> hashes_ = std::make_unique<Hashes>();
  std::unique_ptr<Answers> answers_ = std::make_unique<Answers>();
};

}  // namespace cli
