#include "cli/dedup.hpp"

#include <algorithm>

#include "cli/interrupt.hpp"
#include "cli/spool.hpp"

namespace cli {

void Dedup::learn(const std::vector<std::string>& paths) {
  if (paths.empty()) return;
  LineReader reader(paths, rules_.end);
  HashBatch whole_lines(seen_.keys().hasher());
  for (auto lines = reader.next(); !lines.empty(); lines = reader.next())
    insert(whole_lines.of(lines), whole_lines.answers(lines.size()), 0);
  tally_ = {};  // these were no lines of the input
}

void Dedup::pass(const std::vector<std::string>& inputs, Progress& progress, const AfterBatch& after_batch) {
  LineReader reader(inputs, rules_.end, LineReader::LongLines::in_pieces);
  for (;;) {
    const std::uint64_t before = tally_.lines_in;
    const auto lines = reader.next();
    if (!lines.empty())
      pass_lines(lines, reader.share_read());
    else if (reader.at_long_line())
      pass_long_line(reader);
    else
      break;
    if (!reader.has_buffered_line()) out_.flush();
    progress.add(tally_.lines_in - before, reader.share_read());
    after_batch(reader.share_read());
  }
  out_.flush();
  tally_.interrupted_by = interrupt_signal();
}

void Dedup::pass_lines(std::span<const std::string_view> lines, double share_read) {
  const auto fresh = batch_.answers(lines.size());
  insert(batch_.of(lines), fresh, share_read);
  for (std::size_t i = 0; i < lines.size(); ++i)
    if (prints(fresh[i])) out_.line(lines[i], rules_.end);
}

// A line of any length in little memory: hashed as it comes, and kept in a file until its answer is known.
void Dedup::pass_long_line(LineReader& reader) {
  bloomery::HashStream hash = take(bloomery::HashStream::create(seen_.keys().hasher()));
  KeyPieces key(rules_.key);
  Spool spool;
  do {
    const std::string_view piece = reader.next_piece();
    key.add(piece, [&](std::string_view part) { hash.update(part); });
    spool.append(piece);
  } while (reader.at_long_line());
  if (interrupt_signal() != 0) return;  // the line was cut off: it is nobody's
  const bloomery::Hash whole = hash.finish();
  bool fresh = false;
  insert({&whole, 1}, {&fresh, 1}, reader.share_read());
  if (!prints(fresh)) return;
  spool.copy_to(out_);
  out_.bytes({&rules_.end, 1});
}

void Dedup::insert(std::span<const bloomery::Hash> keys, std::span<bool> fresh, double share_read) {
  for (std::size_t at = 0; at < keys.size();) {
    const bool was_exact = seen_.is_exact();
    const std::size_t count = std::min(seen_.step(), keys.size() - at);
    tally_.fresh += seen_.insert(keys.subspan(at, count), fresh.subspan(at, count), share_read);
    if (was_exact && !seen_.is_exact()) tally_.changed_at_line = tally_.lines_in + at + 1;
    at += count;
  }
}

// Counts the line, too.
bool Dedup::prints(bool fresh) noexcept {
  const bool is_header = rules_.header && tally_.lines_in == 0;
  ++tally_.lines_in;
  const bool printed = is_header || fresh != rules_.repeats;
  tally_.lines_out += printed;
  return printed;
}

}  // namespace cli
