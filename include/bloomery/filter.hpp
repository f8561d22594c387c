// bloomery::Filter: a set that answers "certainly not" or "maybe". Start here.
//
//   auto f = bloomery::Filter::create({.expected_keys = 1'000'000, .fpr = 0.01});
//   if (!f) return fail(f.error());
//   if (auto r = f->insert("example.com/"); !r) return fail(r.error());
//   f->may_contain("example.com/");    // true, always
//   f->may_contain("something else");  // false, about 99 times in 100
//
// Threads: const members may run concurrently with each other. Anything else needs exclusive
// access. Distinct Filters never interfere.
#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "bloomery/export.h"
#include "bloomery/growth.hpp"
#include "bloomery/hash.hpp"
#include "bloomery/layout.hpp"
#include "bloomery/plan.hpp"
#include "bloomery/result.hpp"

namespace bloomery {

struct Spec {
  Kind kind = Kind::blocked;
  std::uint64_t expected_keys = 0;  // exact: 0 is fine, it grows
  double fpr = 0.01;                // once expected_keys are in, over keys that never were
  Hasher hasher = {};
};

// Was the key new? Never a bare bool: `if (f.insert(k))` would read like success.
enum class Inserted : std::uint8_t { repeat, fresh };

// Was the key taken out, or was it certainly not in (and nothing has changed)?
enum class Erased : std::uint8_t { absent, erased };

// One run of bytes and what they mean.
struct Segment {
  Shape shape = {};
  std::uint64_t planned_keys = 0;
  double planned_fpr = 0;
  std::uint64_t keys_inserted = 0;  // fresh ones
  ConstBytes bytes = {};            // exactly size_bytes(shape); empty in memory of our own of an exact filter, and
                                    // of a growing one where the lines of several segments take turns
};

// How much went through a filter. Kept in files.
struct Counts {
  std::uint64_t offered = 0;   // calls of insert, repeats included
  std::uint64_t inserted = 0;  // fresh ones among them
  bool estimated = false;      // after merge and intersect: `inserted` is estimated from the bits; after erase: about
  double expected_wrong_repeats = 0;  // fresh keys expected to have been taken for repeats; kept for
                                      // whoever tracks it (dedup), zero otherwise
  bool operator==(const Counts&) const = default;
};

// What filling a large filter may take.
struct BuildOptions {
  // Memory beside the filter, given back at the end. Not given: the filter's size or 64 MiB if that is more, at
  // most a quarter of free memory. Less than about half the filter's size saves nothing, so that keys go in one
  // by one. Bits and counts do not depend on it.
  std::optional<std::uint64_t> scratch_bytes = {};
  // 0: one for each processor. Only blocked filters of one line per key, from 4 MiB on, are filled by several;
  // elsewhere one thread does it all.
  unsigned threads = 1;
};

// What a decoder hands over: segments, and whoever keeps their bytes alive.
struct Parts {
  Hasher hasher = {};          // siphash: key = the secret, or the stored check if key_missing
  bool key_missing = false;    // a secret hasher whose key nobody gave
  Counts counts = {};
  std::uint32_t optional_features = 0;  // bits this build does not know, to be kept
  std::optional<Growth> growth = {};    // it goes on growing
  std::vector<Segment> segments = {};
  std::shared_ptr<const void> owner = {};  // a file mapping, a heap block; null: borrowed
};

class BLOOMERY_API Filter {
 public:
  // Empty filters. Errors: invalid_argument (naming the field), no_memory; not_supported for static kinds (fuse,
  // ribbon), which are built.
  static Result<Filter> create(const Spec& spec);
  static Result<Filter> create(const Plan& plan, const Hasher& hasher);
  // One that grows: exact, later blocked. What it promises does not depend on the number of keys. It cannot be
  // combined with others. Insert may take as long as going over the whole filter once, where it becomes blocked.
  static Result<Filter> create(const Growth& growth, const Hasher& hasher);
  // A filter of these keys; for any kind. Repeats among the keys are fine. A static filter gets the size that its
  // distinct keys need, whatever was planned for. Errors: as create. Cost: O(keys).
  // Words are taken as Hash::from_u64(word).
  static Result<Filter> build(const Spec& spec, std::span<const Hash> keys, const BuildOptions& options = {});
  static Result<Filter> build(const Spec& spec, std::span<const std::uint64_t> keys, const BuildOptions& options = {});
  static Result<Filter> build(const Plan& plan, const Hasher& hasher, std::span<const Hash> keys,
                              const BuildOptions& options = {});
  static Result<Filter> build(const Plan& plan, const Hasher& hasher, std::span<const std::uint64_t> keys,
                              const BuildOptions& options = {});
  // The one gate for bytes from outside. What passes is safe to query, whoever wrote it: every shape
  // is checked against its bytes here, in O(segments). Read-only; clone() to change it.
  static Result<Filter> from_parts(Parts parts);

  Filter(Filter&&) noexcept;
  Filter& operator=(Filter&&) noexcept;
  ~Filter();
  Result<Filter> clone() const;  // a writable copy on the heap; Errors: no_memory

  // Queries cannot fail, and `false` is certain. Cost: one cache miss for a blocked miss, up to
  // lines_per_key for a hit; up to k for classic; times segments().size().
  // A string asked of a filter whose hasher cannot hash it (precomputed, or a secret not given)
  // gives true: maybe.
  bool may_contain(std::string_view key) const noexcept;
  bool may_contain(Hash key) const noexcept;
  // Batches overlap the misses: prefer them from about 8 keys on. They return how many are maybes.
  // REQUIRES: out.size() == keys.size().
  std::uint64_t may_contain(std::span<const std::string_view> keys, std::span<bool> out) const noexcept;
  std::uint64_t may_contain(std::span<const Hash> keys, std::span<bool> out) const noexcept;
  // Words are taken as Hash::from_u64(word).
  std::uint64_t may_contain(std::span<const std::uint64_t> keys, std::span<bool> out) const noexcept;

  // What may_contain would answer after `turns` times begin_generation(); nothing changes. For windows of time whose
  // clock runs on while nobody inserts. Of kinds without generations: may_contain. REQUIRES: as may_contain.
  std::uint64_t may_contain_after(std::uint64_t turns, std::span<const std::string_view> keys, std::span<bool> out) const noexcept;
  std::uint64_t may_contain_after(std::uint64_t turns, std::span<const Hash> keys, std::span<bool> out) const noexcept;

  enum class Op { insert, insert_string, merge, intersect, erase };
  bool can(Op op) const noexcept;

  // Insert goes to the last segment; fresh means that no segment may have contained the key before.
  // A batch is as if one by one, in order, also for repeats inside the batch; it returns how many were
  // fresh. REQUIRES: fresh is empty (not asked) or fresh.size() == keys.size().
  // Errors: not_supported where can(op) is false; no_memory (exact only: keys before the one that
  // found no room are in). A Bloom filter never refuses: past planned keys its rate rises, see current_fpr().
  Result<Inserted> insert(std::string_view key);
  Result<Inserted> insert(Hash key);
  Result<std::uint64_t> insert(std::span<const std::string_view> keys, std::span<bool> fresh = {});
  Result<std::uint64_t> insert(std::span<const Hash> keys, std::span<bool> fresh = {});
  Result<std::uint64_t> insert(std::span<const std::uint64_t> keys, std::span<bool> fresh = {});

  // Counting filters only: takes a key out once; a key that was inserted twice is still in. counts().inserted
  // falls when may_contain turns false, and is estimated from then on. A counter that reached its maximum stays there: the key is never forgotten.
  // REQUIRES: the key is in. Erasing a key that is not, but that may_contain accepts, can make the filter forget
  // others, and no counting filter can detect that. One that may_contain rejects is absent: that is safe.
  // A batch is as if one by one, in order; it returns how many were erased. REQUIRES: erased is empty (not
  // asked) or erased.size() == keys.size(). Errors: not_supported where can(Op::erase) is false; as insert for strings.
  Result<Erased> erase(std::string_view key);
  Result<Erased> erase(Hash key);
  Result<std::uint64_t> erase(std::span<const std::string_view> keys, std::span<bool> erased = {});
  Result<std::uint64_t> erase(std::span<const Hash> keys, std::span<bool> erased = {});
  // How often the key was inserted, less erasures, at most. No value when its least counter has reached the
  // maximum, when the kind does not count, or when the hasher cannot hash a string.
  std::optional<std::uint64_t> count_at_most(std::string_view key) const noexcept;
  std::optional<std::uint64_t> count_at_most(Hash key) const noexcept;
  // A read-write filter without counters and with the same answers: classic, a quarter of the size (with 4-bit
  // counters), or blocked, of the same size, where a key has its counters in one line.
  // Errors: not_supported (not counting, or classic under murmur3), no_memory.
  Result<Filter> to_plain() const;

  // As insert(keys), for very many keys at once: those of a large blocked filter are sorted by place first, so that
  // its memory is walked through and not jumped about in. Same bits, same counts. See also bloomery/bulk.hpp.
  Result<std::uint64_t> insert_bulk(std::span<const Hash> keys, const BuildOptions& options = {});
  Result<std::uint64_t> insert_bulk(std::span<const std::uint64_t> keys, const BuildOptions& options = {});

  // As insert(keys), by several threads at once: these functions, on one filter, may run concurrently with each
  // other, but with nothing else (not even queries). The bits become those of insert, in whatever order. Of
  // simultaneous inserts of one new key at least one reports fresh, possibly several; so does keys_inserted.
  // Errors: not_supported (read-only, exact, several segments, or as insert for strings).
  // Cost: about twice that of insert, for each thread; hand over some hundred keys at a time.
  Result<std::uint64_t> insert_concurrent(std::span<const std::string_view> keys, std::span<bool> fresh = {});
  Result<std::uint64_t> insert_concurrent(std::span<const Hash> keys, std::span<bool> fresh = {});

  // Union: afterwards *this holds exactly the bits of the filter built from both. (Counting: sums.)
  // Intersection: maybe for every key in both, and for some others: keys in one only pass at about
  // the other's rate, keys in neither at no more than the lesser of the two rates.
  // counts().inserted becomes an estimate (exact kind: stays exact).
  // Filters of several segments have a union if these are alike, one by one: every key of either is in it. They have
  // no intersection.
  // Errors: incompatible, naming the field that differs; not_supported (intersect of several segments; read-only; kinds
  // and filters that cannot be combined). On error nothing has changed.
  Result<void> merge(const Filter& other);
  Result<void> intersect(const Filter& other);
  // Windowed only: forgets the oldest generation now, as happens by itself after every window / G sightings unless
  // the shape's rule says Windowed::kWhenTold: how windows of time are made. Cost: O(size).
  // Errors: not_supported (another kind, read-only).
  Result<void> begin_generation();

  Result<void> clear();  // forget all keys; Errors: not_supported (read-only)

  // A further segment: from now on keys are inserted there, and queries ask all. The compound rate is
  // at most the sum of the segments' rates.
  // Errors: invalid_argument, no_memory, not_supported (read-only; exact, which grows by itself; counting, where an
  // erasure could not tell which segment has the key).
  Result<void> append_segment(const Plan& plan);

  // Overwrites bytes of a segment: for whoever puts a copy of a filter together from pieces (decode_head of file.hpp).
  // Errors: not_supported (read-only, exact, growing), invalid_argument (not within the segment); then nothing has changed.
  Result<void> put(std::size_t segment, std::uint64_t offset, ConstBytes bytes);

  // Gives the memory of a segment to `move`, which says where its bytes are now; null: where they were. For a program
  // that has its own allocator (allocator.hpp) and moves blocks about in it. False: there is no such segment, or the filter grows by itself.
  bool move_block(std::size_t segment, void* (*move)(void* context, void* block), void* context) noexcept;

  // Makes room for more_keys further keys, in one step. An exact filter grows on its own otherwise, by half
  // each time, moving pages and not copying them: memory_bytes() is its peak too.
  // Errors: full when that would take more than max_bytes, no_memory; then nothing has changed. A Bloom
  // filter has its room from the start: always fine.
  Result<void> reserve(std::uint64_t more_keys, std::uint64_t max_bytes = ~std::uint64_t{0});

  // Calls visit with runs of the fingerprints of an exact filter, in ascending order.
  // Errors: not_supported for any other kind.
  Result<void> visit_fingerprints(void (*visit)(void* context, std::span<const Hash> run), void* context) const;

  // Same hasher, same shapes, same bits (exact: same fingerprints). Plans and counts do not matter.
  bool operator==(const Filter& other) const noexcept;

  // What it is.
  std::span<const Segment> segments() const noexcept;  // one, unless it grew; valid until the next change
  Kind kind() const noexcept;                          // of the first segment
  const Hasher& hasher() const noexcept;
  bool key_missing() const noexcept;                   // opened without the secret key
  bool read_only() const noexcept;
  std::optional<Growth> growth() const noexcept;       // no value: it does not grow
  Counts counts() const noexcept;
  // For whoever moves keys from one filter to another and wants the history to go along.
  void set_counts(const Counts& counts) noexcept;
  std::uint32_t optional_features() const noexcept;
  std::uint64_t size_bytes() const noexcept;    // of all segments, as in a file
  std::uint64_t memory_bytes() const noexcept;  // what this process holds for them now (mapped files: 0)
  // How many of the segments' bytes the system has put on huge pages so far: it is asked to, and need not.
  // Cost: reads what the system says about this process; 0 where it says nothing.
  std::uint64_t huge_page_bytes() const noexcept;

  // What the bits say. Cost: O(size); estimated_keys has no value when every bit is set.
  double fill_ratio() const noexcept;
  double current_fpr() const noexcept;  // of this very filter, now
  std::optional<double> estimated_keys() const noexcept;
  // What the plan says. Cost: O(segments).
  double expected_fpr() const noexcept;  // at counts().inserted keys, by the model (windowed: at most)
  std::uint64_t planned_keys() const noexcept;
  double planned_fpr() const noexcept;                 // of a growing filter: what it promises

  struct Rep;

 private:
  friend struct FilterAccess;  // src/filter: for the encoders
  friend class BulkInserter;
  BLOOMERY_LOCAL explicit Filter(std::unique_ptr<Rep> rep) noexcept;
  BLOOMERY_LOCAL static Result<Filter> create_unguarded(const Plan& plan, const Hasher& hasher);
  BLOOMERY_LOCAL static Result<Filter> from_parts_unguarded(Parts parts);
  BLOOMERY_LOCAL Result<Filter> clone_unguarded() const;
  BLOOMERY_LOCAL Result<Filter> to_plain_unguarded() const;
  BLOOMERY_LOCAL static Result<Filter> build_static(const Plan& plan, const Hasher& hasher, std::span<const Hash> keys);
  std::unique_ptr<Rep> rep_;
};

}  // namespace bloomery
