// Filling a large filter with keys that come little by little, as fast as if all were there at once.
//
//   auto bulk = bloomery::BulkInserter::into(filter);
//   while (...) bulk->add(hashes);
//   bulk->finish();
#pragma once
#include <cstdint>
#include <memory>
#include <span>

#include "bloomery/filter.hpp"

namespace bloomery {

// Collects keys in scratch memory and inserts them by line range, whenever that is full. Bits and counts become
// those of Filter::insert. Keys that were added may not be in the filter before finish(); without it they may be
// lost. Where collecting does not pay (see BuildOptions) each add() is an insert.
// Threads: as for a Filter that is being changed, of which it is a part.
class BLOOMERY_API BulkInserter {
 public:
  // REQUIRES: filter outlives this, and is not moved or otherwise used until finish(). Whether it pays is judged by
  // the filter's planned_keys(). Errors: as insert (read-only); no_memory.
  static Result<BulkInserter> into(Filter& filter, const BuildOptions& options = {});
  BulkInserter(BulkInserter&&) noexcept;
  BulkInserter& operator=(BulkInserter&&) noexcept;
  ~BulkInserter();

  Result<void> add(std::span<const Hash> keys);  // Errors: as Filter::insert
  void finish() noexcept;

 private:
  struct State;
  explicit BulkInserter(std::unique_ptr<State> state) noexcept;
  std::unique_ptr<State> state_;
};

}  // namespace bloomery
