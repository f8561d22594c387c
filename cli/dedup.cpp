#include "cli/dedup.hpp"

#include <algorithm>
#include <exception>
#include <memory>
#include <thread>

#include "cli/handover.hpp"
#include "cli/interrupt.hpp"

namespace cli {

void Dedup::learn(const std::vector<std::string>& paths) {
  if (paths.empty()) return;
  LineReader reader(paths, rules_.end);
  HashBatch whole_lines(seen_.hasher());
  for (auto lines = reader.next(); !lines.empty(); lines = reader.next()) {
    insert(whole_lines.of(lines), whole_lines.answers(lines.size()), 0);
    seen_.check();
  }
  tally_ = {};  // these were no lines of the input
}

void Dedup::pass(const std::vector<std::string>& inputs, const AfterBatch& after_batch, unsigned threads) {
  BatchSource source(inputs, rules_.end, seen_.hasher(), rules_.key);
  if (threads > 1)
    pass_in_two_threads(source, after_batch);
  else
    for (LineBatch batch(seen_.hasher(), rules_.key); source.next(batch);) answer(batch, after_batch);
  out_.flush();
  tally_.interrupted_by = interrupt_signal();
}

// This thread reads, splits and hashes, and hears signals; the other one answers and writes. Lines go through
// one after the other as they do in one thread, so the output is the same.
void Dedup::pass_in_two_threads(BatchSource& source, const AfterBatch& after_batch) {
  constexpr std::size_t kBatches = 8;  // with a block each: 16 MB of addresses
  std::vector<std::unique_ptr<LineBatch>> batches;
  Handover<LineBatch*> ready, spare;
  for (std::size_t i = 0; i < kBatches; ++i)
    spare.give(batches.emplace_back(std::make_unique<LineBatch>(seen_.hasher(), rules_.key)).get());
  std::exception_ptr answering_failed, reading_failed;
  std::thread answering([&] {
    try {
      while (const auto batch = ready.take()) {
        answer(**batch, after_batch);
        spare.give(*batch);
      }
    } catch (...) {
      answering_failed = std::current_exception();
      stop_waiting();
    }
    spare.close();
  });
  try {
    for (auto batch = spare.take(); batch && source.next(**batch); batch = spare.take()) {
      source.keep(**batch);
      ready.give(*batch);
    }
  } catch (...) {
    reading_failed = std::current_exception();
  }
  ready.close();
  answering.join();
  if (answering_failed) std::rethrow_exception(answering_failed);
  if (reading_failed) std::rethrow_exception(reading_failed);
}

void Dedup::answer(LineBatch& batch, const AfterBatch& after_batch) {
  const auto fresh = batch.room.answers(batch.hashes.size());
  insert(batch.hashes, fresh, batch.share_read);
  mark_printed(fresh);
  if (!batch.long_line) {
    out_.marked_lines(batch.lines, fresh);
  } else if (fresh[0]) {
    batch.long_line->copy_to(out_);
    out_.bytes({&rules_.end, 1});
  }
  batch.long_line.reset();
  seen_.check();
  if (batch.wait_follows) out_.flush();
  after_batch(batch.hashes.size(), batch.share_read);
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

// From which lines are fresh to which are printed; counts them, too.
void Dedup::mark_printed(std::span<bool> marks) noexcept {
  if (rules_.repeats)
    for (bool& mark : marks) mark = !mark;
  if (rules_.header && tally_.lines_in == 0 && !marks.empty()) marks[0] = true;
  tally_.lines_in += marks.size();
  tally_.lines_out += static_cast<std::uint64_t>(std::count(marks.begin(), marks.end(), true));
}

}  // namespace cli
