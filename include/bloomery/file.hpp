// Filters in files and buffers: docs/format.md says what is written, byte for byte.
#pragma once
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "bloomery/export.h"
#include "bloomery/filter.hpp"

namespace bloomery {

enum class Load {
  map,  // read-only mmap: opens in O(segments), processes share the pages
  copy  // a writable filter on the heap
};

struct OpenOptions {
  Load load = Load::map;
  std::optional<SecretKey> key = {};  // for files made under a secret key
  bool without_key = false;           // open such a file all the same, for info: key_missing() is true
};

// Errors: io, not_a_filter, too_new, corrupt, key_required, wrong_key, no_memory, and invalid_argument for
// a key given to a file made without one; messages name the file. Only regular files are opened.
// Only the header is checked here; a damaged payload gives wrong answers (never a crash) until
// verify() finds it.
// REQUIRES (Load::map): nobody truncates the file in place meanwhile: touching a lost page raises SIGBUS.
// A file replaced by rename, as save() does, is harmless: the old answers stay. Load::copy is safe.
// Cost: O(segments + header) with Load::map; O(file) with Load::copy.
BLOOMERY_API Result<Filter> open(const std::filesystem::path& path, const OpenOptions& options = {});

// The same from memory. Borrows with Load::map. REQUIRES then: bytes outlives the Filter.
BLOOMERY_API Result<Filter> decode(ConstBytes bytes, const OpenOptions& options = {});

// The file form in memory.
BLOOMERY_API Result<std::vector<std::byte>> encode(const Filter& filter);

// The header of the file form: what a filter is, and the checksums of its payload. For whoever carries the payload in a
// way of their own, in pieces: segment after segment, each from the next multiple of segment_alignment() on, with zeros
// between. Errors: not_supported (exact, which has no bytes in memory, and growing, whose segments may take turns there).
// Cost: O(file).
BLOOMERY_API Result<std::vector<std::byte>> encode_head(const Filter& filter);

// 4096; 8 (the compact form) where all segments together are small.
BLOOMERY_API std::uint64_t segment_alignment(const Filter& filter) noexcept;

// A writable filter of that, counts included; all its bytes are zero until Filter::put, and encode_head gives these bytes
// again when all is in place. Errors: as decode; no_memory: a head of a few bytes can ask for any size.
BLOOMERY_API Result<Filter> decode_head(ConstBytes head, const OpenOptions& options = {});

// Writes beside the target under a temporary name, fsyncs, renames, fsyncs the folder: at any moment
// the path holds the old file or the new one, whole. A symlink is followed; an existing file's
// permissions stay, its owner too where privileges allow. Errors: io; then the old file is untouched and
// nothing is left behind. Only a process that is killed leaves its .NAME.XXXXXX.tmp: delete it.
BLOOMERY_API Result<void> save(const Filter& filter, const std::filesystem::path& path);

// Streams the file form to a descriptor (a pipe, a socket). Errors: io. A pipe nobody reads raises SIGPIPE,
// as any write() does, unless the caller ignores it.
BLOOMERY_API Result<void> write(const Filter& filter, int fd);

// Every checksum, every reserved byte. Errors: as open, and corrupt naming the chunk. Needs no key.
// Cost: O(file).
BLOOMERY_API Result<void> verify(const std::filesystem::path& path);
BLOOMERY_API Result<void> verify(ConstBytes bytes);

// What only the file knows.
struct FileInfo {
  std::uint16_t version = 0;
  std::uint64_t file_bytes = 0;
  std::uint32_t header_bytes = 0;
  std::uint64_t alignment = 0;  // of the segments: 4096, or 8 in the compact form
  std::uint64_t chunks = 0;     // checksummed separately
  std::uint32_t required_features = 0;
  std::uint32_t optional_features = 0;
};
BLOOMERY_API Result<FileInfo> inspect(const std::filesystem::path& path);

// Whoever updates PATH holds PATH.lock meanwhile (an advisory flock; the file stays behind, empty, so
// that the lock is never on a file that a rename replaces). A symlink is followed, as save() does.
class BLOOMERY_API Lock {
 public:
  // Errors: locked (somebody else has it), io. Does not wait.
  static Result<Lock> acquire(const std::filesystem::path& path);
  Lock(Lock&& other) noexcept;
  Lock& operator=(Lock&& other) noexcept;
  ~Lock();

 private:
  explicit Lock(int fd) noexcept : fd_(fd) {}
  int fd_;
};

}  // namespace bloomery
