// Lines and their hashes, as they go from the thread that reads to the one that answers.
#pragma once
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/fields.hpp"
#include "cli/hashes.hpp"
#include "cli/input.hpp"
#include "cli/spool.hpp"

namespace cli {

struct LineBatch {
  LineBatch(const bloomery::Hasher& hasher, const KeyField& field) : room(hasher, field) {}

  std::span<const std::string_view> lines;  // empty: one long line
  std::span<const bloomery::Hash> hashes;   // one per line
  std::unique_ptr<Spool> long_line;
  double share_read = 0;                    // of the input, with these lines
  bool wait_follows = false;                // the next batch may have to be waited for

  HashBatch room;                           // for the hashes and the answers
  std::vector<std::string_view> kept_lines;
  std::unique_ptr<char[]> kept_bytes;       // of these lines and those of the batches just before
  bloomery::Hash long_line_hash = {};
};

// Reads, splits and hashes.
class BatchSource {
 public:
  // No inputs: standard input. Errors: Failure, as those of LineReader
  BatchSource(const std::vector<std::string>& inputs, char end, const bloomery::Hasher& hasher, const KeyField& field)
      : reader_(inputs, end, LineReader::LongLines::in_pieces), hasher_(hasher), field_(field) {}

  // What it gives is valid until the next call. False at the end of all inputs, or at an interrupt.
  bool next(LineBatch& batch);

  // Keeps what next() gave beyond the next call: while `batch`, and of those that share its block the last,
  // is not used again.
  void keep(LineBatch& batch);

 private:
  bool read_long_line(LineBatch& batch);

  LineReader reader_;
  bloomery::Hasher hasher_;
  KeyField field_;
};

}  // namespace cli
