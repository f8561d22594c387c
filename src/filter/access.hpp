// What encoders may ask of a Filter and users may not.
#pragma once
#include <cstdint>
#include <functional>

#include "bloomery/filter.hpp"

namespace bloomery {

struct FilterAccess {
  static const Filter::Rep& rep(const Filter& f) noexcept { return *f.rep_; }
  static Filter make(std::unique_ptr<Filter::Rep> rep) noexcept;
  // Have both one segment, of one hash and one shape? Errors: incompatible, not_supported.
  static Result<void> check_comparable(const Filter& a, const Filter& b);

  // The payload of segment i as it stands in a file, in runs, from first byte to last: their sizes add
  // up to file_shape(i)'s size_bytes. Works for every kind, also for an exact filter in memory,
  // whose table is compacted on the way. May be called again; gives the same bytes.
  static void visit_payload(const Filter& f, std::size_t i, void (*visit)(void* context, ConstBytes run),
                            void* context);
  // The segment as a file describes it (exact in memory: cells = fingerprints now).
  static Segment file_segment(const Filter& f, std::size_t i);
  // 16 bytes for the file: the seed, or the check value of a secret key (also when the key is missing).
  static SecretKey stored_key(const Filter& f);

  // Fills `out` with the bytes of segment i from `offset` on.
  using ReadSegment = std::function<Result<void>(std::size_t i, std::uint64_t offset, Bytes out)>;
  // A writable filter of what `read` gives, through the gate of from_parts; parts.segments[i].bytes and
  // parts.owner are not used. No second copy is held at any moment but of some lines. REQUIRES: shapes that passed
  // check(). Errors: as from_parts, no_memory, and what `read` gave. May throw std::bad_alloc.
  static Result<Filter> load(Parts parts, const ReadSegment& read);
};

}  // namespace bloomery
