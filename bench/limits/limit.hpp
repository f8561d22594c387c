// The physical limit for filters of one size on this machine, with the prefetching that suits it best.
#pragma once
#include <string>
#include <vector>

#include "keys.hpp"
#include "limits/walk.hpp"
#include "pages.hpp"

namespace bench {

// Reads or changes one random line for every key; what the best filter cannot beat.
class Limit {
 public:
  struct Variant {
    std::string name;  // "t1 48": the hint of the prefetch and how many keys ahead
    Hint hint = Hint::none;
    std::size_t distance = 0;
    double ns = 0;  // per line, the best of all repeats: noise only adds
  };

  // Tries every variant `repeats` times over the keys and keeps the best for each kind of walk.
  Limit(std::uint64_t size_bytes, PageSize page_size, Words keys, unsigned repeats);

  std::uint64_t read(Words keys) const {
    return walker_.read(walk(best_read()), best_read().hint, keys.data(), keys.size());
  }
  void modify(Words keys) const { walker_.modify(walk(best_modify()), best_modify().hint, keys.data(), keys.size()); }

  const Variant& best_read() const { return reads_.front(); }
  const Variant& best_modify() const { return modifies_.front(); }
  const std::vector<Variant>& reads() const { return reads_; }  // the fastest first
  const std::vector<Variant>& modifies() const { return modifies_; }
  std::span<const std::byte> bytes() const { return buffer_.bytes(); }

  struct Bandwidth {
    double read = 0, write = 0, stream = 0;  // GB (10^9 bytes) per second, in order
  };
  Bandwidth bandwidth() const;

 private:
  Walk walk(const Variant& variant) const { return {start_, buffer_.size() / 64, variant.distance}; }
  template <class Measure>
  std::vector<Variant> rank(std::vector<Variant> variants, unsigned repeats, Measure measure) const;

  Pages buffer_;
  std::byte* start_;
  const Walker& walker_;
  std::vector<Variant> reads_, modifies_;
};

// The widest vectors of this processor.
const Walker& best_walker();

}  // namespace bench
