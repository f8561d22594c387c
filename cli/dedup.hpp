// The pass of dedup over its input: lines in, first occurrences out.
#pragma once
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/fields.hpp"
#include "cli/line_batch.hpp"
#include "cli/line_set.hpp"
#include "cli/output.hpp"

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
  Dedup(const DedupRules& rules, LineSet& seen, Output& out)
      : rules_(rules), seen_(seen), out_(out) {}

  // The lines of these files count as seen, whole, and are not printed. Errors: Failure
  void learn(const std::vector<std::string>& paths);

  // Passes all input, in `threads` threads (more than two are no better), with the same output. After each
  // batch of lines, with the output flushed where the next one has to be waited for, after_batch runs, one
  // call at a time; it is told how many lines these were, and the share of the input that has passed, 0 if
  // nobody knows. Errors: Failure
  using AfterBatch = std::function<void(std::uint64_t lines, double share_read)>;
  void pass(const std::vector<std::string>& inputs, const AfterBatch& after_batch, unsigned threads = 1);

  const DedupTally& tally() const noexcept { return tally_; }

 private:
  void pass_in_two_threads(BatchSource& source, const AfterBatch& after_batch);
  void answer(LineBatch& batch, const AfterBatch& after_batch);
  void insert(std::span<const bloomery::Hash> keys, std::span<bool> fresh, double share_read);
  void mark_printed(std::span<bool> marks) noexcept;

  DedupRules rules_;
  LineSet& seen_;
  Output& out_;
  DedupTally tally_;
};

}  // namespace cli
