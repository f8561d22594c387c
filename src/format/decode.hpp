// Bytes -> Filter, for files and for memory.
#pragma once
#include "bloomery/file.hpp"
#include "core/file.hpp"
#include "format/header.hpp"

namespace bloomery::format {

// The header of a file, read and checked; bytes are its bytes.
struct Loaded {
  Header header;
  std::vector<std::byte> bytes;
};
// Errors: io, not_a_filter, too_new, corrupt; messages name the file.
Result<Loaded> load_header(const core::OpenFile& file, const std::filesystem::path& path);

// The same from memory. Errors: not_a_filter, too_new, corrupt.
Result<Header> decode_header(ConstBytes file);

// Of a header without its file. Errors: not_a_filter, too_new, corrupt.
Result<Header> decode_lone_header(ConstBytes head);

// Errors: io, naming the file; corrupt, when it ends before.
Result<void> read_file(const core::OpenFile& file, const std::filesystem::path& path, std::uint64_t offset,
                       Bytes out);

// The error with the file's name in front, unless it is in the message already.
Error in_file(const std::filesystem::path& path, Error error);

}  // namespace bloomery::format
