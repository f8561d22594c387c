// Asking and inserting.
#include <algorithm>
#include <array>
#include <cstring>
#include <string>

#include "bloomery/filter.hpp"
#include "bloomery/view.hpp"
#include "filter/access.hpp"
#include "filter/rep.hpp"
#include "kernels/kernels.hpp"
#include "layout/layouts.hpp"

namespace bloomery {
namespace {

// Hashes on the stack at a time: 32 KiB. Each change from hashing to asking waits for memory: 512 at a time took a
// tenth longer for URLs.
constexpr std::size_t kBlock = 2048;
constexpr std::size_t kAnswers = 4096;  // of one segment at a time: long enough for prefetching to get going

Error read_only_error() { return {Errc::not_supported, "this filter is read-only: clone() it to change it"}; }

// Calls work(offset, hashes) for blocks of keys, turned into hashes by to_hashes(keys, hashes).
template <class Key, class ToHashes, class Work>
void in_blocks(std::span<const Key> keys, ToHashes to_hashes, Work work) {
  std::array<Hash, kBlock> hashes;
  for (std::size_t at = 0; at < keys.size(); at += kBlock) {
    const auto block = keys.subspan(at, std::min(kBlock, keys.size() - at));
    const std::span<Hash> out(hashes.data(), block.size());
    to_hashes(block, out);
    if (!work(at, std::span<const Hash>(out))) return;
  }
}

// Few keys, asked about at once, would begin to wait for their lines when all are hashed. So these are fetched while the
// next ones are hashed: 100 keys of 12 bytes in 12 MB took 11 ns each in place of 17, in 120 MB 25 in place of 27.
constexpr std::size_t kFew = 256;
constexpr std::size_t kRun = 16;

void hash_strings(const Filter::Rep& rep, std::span<const std::string_view> keys, std::span<Hash> out) noexcept {
  const Shape& last = rep.segments.back().shape;
  if (keys.size() > kFew || last.kind != Kind::blocked) return rep.hasher(keys, out);
  const Blocked::Lines lines = rep.lines(rep.segments.size() - 1);
  for (std::size_t i = 0; i < keys.size(); i += kRun) {
    const std::size_t count = std::min(kRun, keys.size() - i);
    rep.hasher(keys.subspan(i, count), out.subspan(i, count));
    kernels::fetch(last, lines, out.subspan(i, count));
  }
}

void hashes_of_words(std::span<const std::uint64_t> words, std::span<Hash> out) noexcept {
  std::transform(words.begin(), words.end(), out.begin(), Hash::from_u64);
}

bool segment_may_contain(const Filter::Rep& rep, std::size_t i, Hash h) noexcept {
  const Segment& s = rep.segments[i];
  if (s.shape.kind == Kind::blocked) return Blocked::may_contain(s.shape, rep.lines(i), h);
  return with_layout<bool>(s.shape.kind, [&]<class L>(L) { return L::may_contain(s.shape, s.bytes, h); });
}

std::uint64_t table_may_contain(const ExactTable& table, std::span<const Hash> keys, bool* out) noexcept {
  std::uint64_t maybes = 0;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (i + ExactTable::kPrefetchDistance < keys.size()) table.prefetch(keys[i + ExactTable::kPrefetchDistance]);
    maybes += out[i] = table.contains(keys[i]);
  }
  return maybes;
}

// Of the first `asked` segments of a group.
std::uint64_t group_may_contain(const Filter::Rep& rep, const Group& group, std::size_t asked,
                                std::span<const Hash> keys, bool* out) noexcept {
  const Segment& first = rep.segments[group.first];
  if (group.ways == 1) return kernels::may_contain(first.shape, first.bytes, keys, out);
  kernels::Ways ways{.lines = rep.lines(group.first), .count = asked};
  for (std::size_t w = 0; w < asked; ++w) ways.shapes[w] = rep.segments[group.first + w].shape;
  return kernels::any_way_may_contain(ways, keys, out);
}

// out[i] is set where any of the first `asked` segments may contain keys[i]. REQUIRES: keys.size() <= kAnswers, unless
// all lie in one group.
std::uint64_t any_may_contain(const Filter::Rep& rep, std::size_t asked, std::span<const Hash> keys,
                              bool* out) noexcept {
  if (rep.groups.size() == 1 && asked > 0) return group_may_contain(rep, rep.groups[0], asked, keys, out);
  std::fill_n(out, keys.size(), false);
  std::array<bool, kAnswers> answers;
  for (const Group& group : rep.groups) {
    if (group.first >= asked) break;
    group_may_contain(rep, group, std::min(group.ways, asked - group.first), keys, answers.data());
    for (std::size_t i = 0; i < keys.size(); ++i) out[i] |= answers[i];  // not ||: this is done in vectors
  }
  return static_cast<std::uint64_t>(std::count(out, out + keys.size(), true));
}

bool same_lines(const Shape& shape, Blocked::Lines a, Blocked::Lines b) noexcept {
  for (std::uint64_t i = 0; i < shape.cells; ++i)
    if (std::memcmp(a.at(i), b.at(i), Blocked::kLineBytes) != 0) return false;
  return true;
}

}  // namespace

bool Filter::may_contain(std::string_view key) const noexcept {
  return !rep_->hashable() || may_contain(rep_->hasher(key));
}

bool Filter::may_contain(Hash key) const noexcept {
  const std::vector<Segment>& segments = rep_->segments;
  if (segments.size() == 1 && segments[0].shape.kind == Kind::blocked)  // most filters: no search for the layout
    return BlockedView(segments[0].shape, segments[0].bytes).may_contain(key);
  if (rep_->table) return rep_->table->contains(key);
  for (std::size_t i = 0; i < segments.size(); ++i)
    if (segment_may_contain(*rep_, i, key)) return true;
  return false;
}

std::uint64_t Filter::may_contain(std::span<const std::string_view> keys, std::span<bool> out) const noexcept {
  if (!rep_->hashable()) {
    std::fill(out.begin(), out.end(), true);
    return keys.size();
  }
  std::uint64_t maybes = 0;
  in_blocks(
      keys, [&](auto block, auto hashes) { hash_strings(*rep_, block, hashes); },
      [&](std::size_t at, std::span<const Hash> hashes) {
        maybes += may_contain(hashes, out.subspan(at, hashes.size()));
        return true;
      });
  return maybes;
}

std::uint64_t Filter::may_contain(std::span<const Hash> keys, std::span<bool> out) const noexcept {
  if (rep_->table) return table_may_contain(*rep_->table, keys, out.data());
  const std::size_t all = rep_->segments.size();
  if (rep_->groups.size() == 1) return any_may_contain(*rep_, all, keys, out.data());
  std::uint64_t maybes = 0;
  for (std::size_t at = 0; at < keys.size(); at += kAnswers)
    maybes += any_may_contain(*rep_, all, keys.subspan(at, std::min(kAnswers, keys.size() - at)), out.data() + at);
  return maybes;
}

std::uint64_t Filter::may_contain(std::span<const std::uint64_t> keys, std::span<bool> out) const noexcept {
  if (!rep_->table && rep_->segments.size() == 1)
    return kernels::may_contain(rep_->segments[0].shape, rep_->segments[0].bytes, keys, out.data());
  std::uint64_t maybes = 0;
  in_blocks(keys, hashes_of_words, [&](std::size_t at, std::span<const Hash> hashes) {
    maybes += may_contain(hashes, out.subspan(at, hashes.size()));
    return true;
  });
  return maybes;
}

bool Filter::can(Op op) const noexcept {
  if (rep_->read_only() || Rep::is_static(kind())) return false;
  switch (op) {
    case Op::insert: return true;
    case Op::insert_string: return rep_->hashable();
    case Op::merge: return !rep_->growth && kind() != Kind::windowed;
    case Op::intersect: return rep_->segments.size() == 1 && !rep_->growth && kind() != Kind::windowed;
    case Op::erase: return static_cast<bool>(rep_->check_erasable());
  }
  return false;
}

Result<Inserted> Filter::insert(std::string_view key) {
  if (auto checked = rep_->check_hashable(); !checked) return checked.error();
  return insert(rep_->hasher(key));
}

Result<Inserted> Filter::insert(Hash key) {
  bool fresh = false;
  if (rep_->one_writable_segment() && kind() == Kind::blocked) {  // most filters: not as a batch of one
    fresh = Blocked::insert(rep_->segments[0].shape, rep_->writable_lines(0), key);
    rep_->count(1, fresh);
    return fresh ? Inserted::fresh : Inserted::repeat;
  }
  const auto inserted = insert(std::span<const Hash>(&key, 1), std::span(&fresh, 1));
  if (!inserted) return inserted.error();
  return fresh ? Inserted::fresh : Inserted::repeat;
}

Result<std::uint64_t> Filter::insert(std::span<const std::string_view> keys, std::span<bool> fresh) {
  if (auto checked = rep_->check_hashable(); !checked) return checked.error();
  std::uint64_t count = 0;
  Result<std::uint64_t> result = count;
  in_blocks(
      keys, [&](auto block, auto hashes) { hash_strings(*rep_, block, hashes); },
      [&](std::size_t at, std::span<const Hash> hashes) {
        result = insert(hashes, fresh.empty() ? fresh : fresh.subspan(at, hashes.size()));
        if (result) count += *result;
        return static_cast<bool>(result);
      });
  if (!result) return result;
  return count;
}

Result<std::uint64_t> Filter::insert(std::span<const std::uint64_t> keys, std::span<bool> fresh) {
  std::uint64_t count = 0;
  if (rep_->one_writable_segment()) {
    count = kernels::insert(rep_->segments[0].shape, rep_->writable(0), keys, fresh.data());
    rep_->count(keys.size(), count);
    return count;
  }
  Result<std::uint64_t> result = count;
  in_blocks(keys, hashes_of_words, [&](std::size_t at, std::span<const Hash> hashes) {
    result = insert(hashes, fresh.empty() ? fresh : fresh.subspan(at, hashes.size()));
    if (result) count += *result;
    return static_cast<bool>(result);
  });
  if (!result) return result;
  return count;
}

Result<std::uint64_t> Filter::insert(std::span<const Hash> keys, std::span<bool> fresh) {
  if (rep_->read_only()) return read_only_error();
  if (Rep::is_static(kind())) return Rep::static_error(kind());
  if (rep_->growth) return rep_->insert_growing(keys, fresh.data());
  if (rep_->table) return rep_->insert_exact(keys, fresh.data());
  std::uint64_t count = 0;
  if (rep_->segments.size() == 1) {
    count = kernels::insert(rep_->segments[0].shape, rep_->writable(0), keys, fresh.data());
  } else {
    for (std::size_t at = 0; at < keys.size(); at += kBlock)
      count += rep_->insert_into_last(keys.subspan(at, std::min(kBlock, keys.size() - at)),
                                      fresh.empty() ? nullptr : fresh.data() + at);
  }
  rep_->count(keys.size(), count);
  return count;
}

Result<void> Filter::Rep::check_hashable() const {
  if (key_missing) return Error{Errc::key_required, "this filter's hash has a secret key: open it with the key"};
  if (hashable()) return {};
  return Error{Errc::not_supported, "this filter takes ready-made hashes (precomputed): insert a Hash"};
}

void Filter::Rep::count(std::uint64_t offered, std::uint64_t inserted) noexcept {
  counts.offered += offered;
  counts.inserted += inserted;
  segments.back().keys_inserted += inserted;
}

// The earlier segments do not change, so what they contain can be asked for the whole block first.
std::uint64_t Filter::Rep::insert_into_last(std::span<const Hash> keys, bool* fresh) noexcept {
  const std::size_t last = segments.size() - 1;
  std::array<bool, kBlock> known, changed;
  any_may_contain(*this, last, keys, known.data());
  std::array<Hash, kBlock> unknown;
  std::size_t unknown_count = 0;
  for (std::size_t i = 0; i < keys.size(); ++i)
    if (!known[i]) unknown[unknown_count++] = keys[i];
  const std::span<const Hash> to_insert(unknown.data(), unknown_count);
  const Shape& shape = segments[last].shape;
  const std::uint64_t count =
      groups.back().ways == 1
          ? kernels::insert(shape, writable(groups.size() - 1), to_insert, changed.data())
          : kernels::insert(shape, writable_lines(last), to_insert, changed.data());
  if (fresh != nullptr)
    for (std::size_t i = 0, next = 0; i < keys.size(); ++i) fresh[i] = !known[i] && changed[next++];
  return count;
}

Result<std::uint64_t> Filter::Rep::insert_exact(std::span<const Hash> keys, bool* fresh) {
  const std::uint64_t before = table->size();
  Result<bool> inserted = true;
  std::array<bool, kBlock> unasked;
  std::size_t i = 0;
  while (i < keys.size() && inserted) {
    const auto block = keys.subspan(i, std::min(kBlock, keys.size() - i));
    bool* const answers = fresh != nullptr ? fresh + i : unasked.data();
    const std::size_t done = table->insert_while_room(block, answers);
    i += done;
    if (done == block.size()) continue;
    inserted = table->insert(keys[i]);  // makes room
    if (!inserted) break;
    answers[done] = *inserted;
    ++i;
  }
  const std::uint64_t added = table->size() - before;
  segments[0].shape.cells = table->size();
  count(i, added);
  if (!inserted) return inserted.error();
  return added;
}

Result<void> Filter::reserve(std::uint64_t more_keys, std::uint64_t max_bytes) {
  if (rep_->read_only()) return read_only_error();
  return rep_->table ? rep_->table->reserve(more_keys, max_bytes) : Result<void>{};
}

Result<void> Filter::visit_fingerprints(void (*visit)(void*, std::span<const Hash>), void* context) const {
  if (kind() != Kind::exact) return Error{Errc::not_supported, "only an exact filter keeps fingerprints"};
  std::array<Hash, kBlock> run;
  std::size_t used = 0;
  const auto add = [&](Hash h) {
    run[used++] = h;
    if (used == run.size()) visit(context, std::span<const Hash>(run.data(), std::exchange(used, 0)));
  };
  if (rep_->table) {
    rep_->table->for_each(add);
  } else {
    const Segment& s = rep_->segments[0];
    for (std::uint64_t i = 0; i < s.shape.cells; ++i) add(Exact::at(s.bytes, i));
  }
  if (used != 0) visit(context, std::span<const Hash>(run.data(), used));
  return {};
}

Result<void> Filter::clear() {
  if (rep_->read_only()) return read_only_error();
  if (Rep::is_static(kind())) return Rep::static_error(kind());
  if (rep_->growth) return rep_->start_over();
  if (rep_->table) {
    auto table = ExactTable::create(0);
    if (!table) return table.error();
    rep_->table = std::move(*table);
    rep_->segments[0].shape.cells = 0;
  }
  for (Memory& memory : rep_->memories) std::fill_n(memory.data(), memory.size(), std::byte{0});
  for (Segment& segment : rep_->segments) segment.keys_inserted = 0;
  rep_->counts = {};
  return {};
}

bool Filter::operator==(const Filter& other) const noexcept {
  const auto mine = segments(), theirs = other.segments();
  if (rep_->hasher.id != other.hasher().id || rep_->stored_key != other.rep_->stored_key) return false;
  if (!std::equal(mine.begin(), mine.end(), theirs.begin(), theirs.end(),
                  [](const Segment& a, const Segment& b) { return a.shape == b.shape; }))
    return false;
  if (kind() == Kind::blocked) {
    for (std::size_t i = 0; i < mine.size(); ++i)
      if (!same_lines(mine[i].shape, rep_->lines(i), other.rep_->lines(i))) return false;
    return true;
  }
  if (kind() != Kind::exact)
    return std::equal(mine.begin(), mine.end(), theirs.begin(), theirs.end(), [](const Segment& a, const Segment& b) {
      return std::equal(a.bytes.begin(), a.bytes.end(), b.bytes.begin(), b.bytes.end());
    });
  struct Check {
    const Filter& other;
    bool same = true;
  } check{other};
  const auto compare = [](void* context, std::span<const Hash> run) {
    Check& c = *static_cast<Check*>(context);
    for (const Hash h : run) c.same = c.same && c.other.may_contain(h);
  };
  static_cast<void>(visit_fingerprints(compare, &check));  // cannot fail: exact
  return check.same;
}

}  // namespace bloomery
