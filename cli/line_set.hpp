// What the pass of dedup asks: a set of lines by their hashes.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>

#include "bloomery/hash.hpp"

namespace cli {

class LineSet {
 public:
  virtual ~LineSet() = default;

  virtual const bloomery::Hasher& hasher() const noexcept = 0;
  virtual bool is_exact() const noexcept = 0;

  // How many keys may go in at once.
  virtual std::size_t step() const noexcept = 0;

  // fresh[i]: keys[i] was not seen before. Returns how many were not. share_read: how much of the input has
  // been read, in (0, 1], or 0 if nobody knows. REQUIRES: keys.size() <= step(). Errors: Failure
  virtual std::uint64_t insert(std::span<const bloomery::Hash> keys, std::span<bool> fresh, double share_read) = 0;

  // Called when the lines of an insert have been written. Errors: Failure, with what went wrong in an insert
  // some of whose answers were good.
  virtual void check() {}
};

}  // namespace cli
