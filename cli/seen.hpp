// The set of lines seen so far, and what it has probably got wrong.
#pragma once
#include <cstdint>
#include <optional>
#include <span>

#include "bloomery/filter.hpp"

namespace cli {

// How many new keys a filter has probably taken for repeats: the sum, over the keys that it called
// fresh, of p / (1 - p), with p its rate at that moment by the model.
// Why: for each key called fresh, p / (1 - p) new keys are expected to have been called repeats.
// The rate is that of all distinct keys so far, the wrongly dropped ones among them: those set no bit
// because their bits were set.
class WrongDrops {
 public:
  // A rate costs microseconds: it is worked out once for so many distinct keys and interpolated linearly.
  static constexpr double kLeastStep = 4096;

  void add(const bloomery::Filter& filter, std::uint64_t fresh);
  double expected(const bloomery::Filter& filter) const;

 private:
  double distinct() const noexcept;  // with a first guess of the wrong drops since the last evaluation
  double odds(const bloomery::Filter& filter) const;

  double fresh_ = 0;        // all of them
  double pending_ = 0;      // of these, since the last evaluation
  double settled_ = 0;      // expected wrong drops up to the last evaluation
  double odds_before_ = 0;  // p / (1 - p) then
};

class SeenSet {
 public:
  // Exact fingerprints. Errors: Failure
  static SeenSet exact(const bloomery::Hasher& hasher);
  // A filter planned for so many keys at that rate. Errors: Failure
  static SeenSet filter(const bloomery::Hasher& hasher, std::uint64_t expected_keys, double fpr);

  // fresh[i]: keys[i] was not seen before. Returns how many were not. Errors: Failure
  std::uint64_t insert(std::span<const bloomery::Hash> keys, std::span<bool> fresh);

  const bloomery::Filter& keys() const noexcept { return keys_; }
  bool is_exact() const noexcept { return keys_.kind() == bloomery::Kind::exact; }
  double expected_wrong_drops() const { return wrong_.expected(keys_); }

 private:
  explicit SeenSet(bloomery::Filter keys) noexcept : keys_(std::move(keys)) {}
  bloomery::Filter keys_;
  WrongDrops wrong_;
};

}  // namespace cli
