#include "cli/line_batch.hpp"

#include <utility>

#include "cli/interrupt.hpp"
#include "cli/report.hpp"

namespace cli {

bool BatchSource::next(LineBatch& batch) {
  batch.long_line.reset();
  batch.lines = reader_.next();
  if (!batch.lines.empty())
    batch.hashes = batch.room.of(batch.lines);
  else if (!reader_.at_long_line() || !read_long_line(batch))
    return false;
  batch.share_read = reader_.share_read();
  batch.wait_follows = !reader_.has_buffered_line();
  return true;
}

// A line of any length in little memory: hashed as it comes, and kept in a file until its answer is known.
bool BatchSource::read_long_line(LineBatch& batch) {
  bloomery::HashStream hash = take(bloomery::HashStream::create(hasher_));
  KeyPieces key(field_);
  batch.long_line = std::make_unique<Spool>();
  do {
    const std::string_view piece = reader_.next_piece();
    key.add(piece, [&](std::string_view part) { hash.update(part); });
    batch.long_line->append(piece);
  } while (reader_.at_long_line());
  if (interrupt_signal() != 0) return false;  // the line was cut off: it is nobody's
  batch.long_line_hash = hash.finish();
  batch.hashes = {&batch.long_line_hash, 1};
  return true;
}

void BatchSource::keep(LineBatch& batch) {
  batch.kept_lines.assign(batch.lines.begin(), batch.lines.end());
  batch.lines = batch.kept_lines;
  if (batch.wait_follows) batch.kept_bytes = reader_.go_on_in(std::move(batch.kept_bytes));
}

}  // namespace cli
