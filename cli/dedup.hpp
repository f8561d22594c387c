// The pass of dedup over its input: lines in, first occurrences out.
#pragma once
#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/fields.hpp"
#include "cli/hashes.hpp"
#include "cli/input.hpp"
#include "cli/output.hpp"
#include "cli/progress.hpp"
#include "cli/report.hpp"
#include "cli/seen.hpp"

namespace cli {

struct DedupRules {
  char end = '\n';        // of a line
  KeyField key;
  bool repeats = false;   // print the repeats instead of the first occurrences
  bool header = false;    // the first line passes
};

struct DedupTally {
  std::uint64_t lines_in = 0;
  std::uint64_t lines_out = 0;
  std::uint64_t fresh = 0;
  std::optional<std::uint64_t> changed_at_line;  // a filter answers from this line on
  int interrupted_by = 0;                        // a signal
};

class Dedup {
 public:
  Dedup(const DedupRules& rules, SeenSet& seen, Output& out)
      : rules_(rules), seen_(seen), out_(out), batch_(seen.keys().hasher(), rules.key) {}

  // The lines of these files count as seen, whole, and are not printed. Errors: Failure
  void learn(const std::vector<std::string>& paths);

  // Passes all input. After each batch of lines, with the output flushed where the next one has to be
  // waited for, after_batch runs; it is told the share of the input that has passed, 0 if nobody knows.
  // Errors: Failure
  using AfterBatch = std::function<void(double share_read)>;
  void pass(const std::vector<std::string>& inputs, Progress& progress, const AfterBatch& after_batch);

  const DedupTally& tally() const noexcept { return tally_; }

 private:
  void pass_lines(std::span<const std::string_view> lines, double share_read);
  void pass_long_line(LineReader& reader);
  void insert(std::span<const bloomery::Hash> keys, std::span<bool> fresh, double share_read);
  bool prints(bool fresh) noexcept;

  DedupRules rules_;
  SeenSet& seen_;
  Output& out_;
  HashBatch batch_;
  DedupTally tally_;
};

}  // namespace cli
