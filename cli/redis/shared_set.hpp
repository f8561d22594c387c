// One set of lines that several machines share: Bloom filters in a redis-server or a cluster.
#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "cli/line_set.hpp"

namespace cli {

struct SharedSetOptions {
  std::string server;                            // HOST:PORT[,cluster]
  std::string name;                              // the set's
  std::optional<std::uint64_t> shards = {};      // filters; 64 for a new set
  std::optional<std::uint64_t> expected = {};    // distinct lines of all who share the set; a new one needs it
  std::optional<double> fpr = {};                // 1e-5 for a new set
  bloomery::Hasher hasher = {};
  bool unanswered_is_fresh = false;              // what insert() says of a line whose answer does not come
};

// As it was made by whoever came first.
struct SharedPlan {
  std::uint64_t shards = 0;
  std::uint64_t expected = 0;
  double fpr = 0;
};

struct SharedFigures {
  std::uint64_t memory_bytes = 0;     // of all filters
  double estimated_distinct = 0;      // lines of all who share the set
  double current_fpr = 0;
  double expected_wrong_drops = 0;    // among the lines of this run
};

// NAME holds the plan, as text; NAME:{0} to NAME:{shards - 1} are filters, which a cluster spreads by the part in
// braces. A line's fingerprint, 16 bytes, goes to the filter that the fingerprint chooses. The filters do not grow:
// when one is full, inserting fails. What a server answered before it failed is kept.
class SharedSet : public LineSet {
 public:
  // Makes the set where there is none. Errors: Failure: no such server, a server without the BF commands, a
  // set of another plan, ...; a build without hiredis always.
  static std::unique_ptr<SharedSet> open(const SharedSetOptions& options);

  virtual const SharedPlan& plan() const noexcept = 0;
  virtual SharedFigures figures() const = 0;
};

}  // namespace cli
