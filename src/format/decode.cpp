#include "format/decode.hpp"

#include <algorithm>
#include <memory>

#include "core/guard.hpp"
#include "filter/access.hpp"

namespace bloomery {

namespace format {

Error in_file(const std::filesystem::path& path, Error error) {
  if (error.code == Errc::io) return error;  // names it already
  error.message = core::printable(path) + ": " + error.message;
  return error;
}

Result<Header> decode_header(ConstBytes file) {
  const auto size = header_bytes(file.first(std::min(file.size(), kFixedBytes)), file.size());
  if (!size) return size.error();
  return parse(file.first(*size));
}

Result<Header> decode_lone_header(ConstBytes head) {
  const auto size = header_bytes(head.first(std::min(head.size(), kFixedBytes)), claimed_file_bytes(head));
  if (!size) return size.error();
  if (*size != head.size()) return Error{Errc::corrupt, "the header is damaged: it is shorter or longer than it says"};
  return parse(head);
}

Result<void> read_file(const core::OpenFile& file, const std::filesystem::path& path, std::uint64_t offset,
                       Bytes out) {
  const int error = core::read_at(file.fd.get(), offset, out);
  if (error == 0) return {};
  if (error != core::kEndOfFile) return core::io_error("read", path, error);
  return Error{Errc::corrupt, "it became shorter while it was read"};
}

Result<Loaded> load_header(const core::OpenFile& file, const std::filesystem::path& path) {
  std::array<std::byte, kFixedBytes> start;
  const auto known = Bytes(start).first(std::min<std::uint64_t>(file.size_bytes, kFixedBytes));
  if (auto got = read_file(file, path, 0, known); !got) return in_file(path, got.error());
  const auto size = header_bytes(known, file.size_bytes);
  if (!size) return in_file(path, size.error());
  std::vector<std::byte> bytes(*size);
  if (auto got = read_file(file, path, 0, bytes); !got) return in_file(path, got.error());
  // Read twice: what was checked before must be what is parsed now.
  if (!std::equal(known.begin(), known.end(), bytes.begin()))
    return in_file(path, {Errc::corrupt, "it changed while it was read"});
  auto header = parse(bytes);
  if (!header) return in_file(path, header.error());
  return Loaded{std::move(*header), std::move(bytes)};
}

}  // namespace format

namespace {

using format::Header;

// The hasher to query with. Sets key_missing where the key is not given and need not be.
Result<Hasher> unlock(const Hasher& stored, const OpenOptions& options, bool& key_missing) {
  key_missing = false;
  if (!stored.secret()) {
    if (options.key)
      return Error{Errc::invalid_argument, "made without a secret key, and a key was given: leave the key away"};
    return stored;
  }
  if (options.key) {
    const Hasher hasher = Hasher::siphash(*options.key);
    if (hasher.stored_key() != stored.key) return Error{Errc::wrong_key, "made under another secret key"};
    return hasher;
  }
  if (!options.without_key)
    return Error{Errc::key_required, "made under a secret key: give the 16-byte key it was made with"};
  key_missing = true;
  return stored;
}

Result<Parts> parts_of(const Header& header, const OpenOptions& options) {
  Parts parts;
  auto hasher = unlock(header.hasher, options, parts.key_missing);
  if (!hasher) return hasher.error();
  parts.hasher = *hasher;
  parts.counts = header.counts;
  parts.optional_features = header.optional_features;
  parts.growth = header.growth;
  parts.segments = header.segments;
  return parts;
}

// What the gate refuses was written by nobody who keeps to the format.
Result<Filter> gated(Result<Filter> filter) {
  if (filter || filter.error().code != Errc::invalid_argument) return filter;
  return Error{Errc::corrupt, "the header is damaged: " + filter.error().message};
}

// Queries `file`, the whole of it, in place; owner keeps it alive.
Result<Filter> borrow(const Header& header, ConstBytes file, const OpenOptions& options,
                      std::shared_ptr<const void> owner) {
  auto parts = parts_of(header, options);
  if (!parts) return parts.error();
  for (std::size_t i = 0; i < parts->segments.size(); ++i)
    parts->segments[i].bytes = file.subspan(header.offsets[i], format::segment_bytes(parts->segments[i]));
  parts->owner = std::move(owner);
  return gated(Filter::from_parts(std::move(*parts)));
}

Result<Filter> decode_bytes(ConstBytes bytes, const OpenOptions& options) {
  auto header = format::decode_header(bytes);
  if (!header) return header.error();
  auto filter = borrow(*header, bytes, options, nullptr);
  if (!filter || options.load == Load::map) return filter;
  return filter->clone();
}

Result<Filter> open_mapped(const core::OpenFile& file, const std::filesystem::path& path, const Header& header,
                           const OpenOptions& options) {
  auto mapping = core::Mapping::map(file, path);
  if (!mapping) return mapping.error();
  const auto owner = std::make_shared<const core::Mapping>(std::move(*mapping));
  auto filter = borrow(header, owner->bytes(), options, owner);
  if (!filter) return format::in_file(path, filter.error());
  return filter;
}

Result<Filter> open_copied(const core::OpenFile& file, const std::filesystem::path& path, const Header& header,
                           const OpenOptions& options) {
  auto parts = parts_of(header, options);
  if (!parts) return format::in_file(path, parts.error());
  // Through read(), not through a mapping: a file that loses its end meanwhile is an error here, not a signal.
  auto filter = gated(FilterAccess::load(std::move(*parts), [&](std::size_t i, std::uint64_t offset, Bytes out) {
    return format::read_file(file, path, header.offsets[i] + offset, out);
  }));
  if (!filter) return format::in_file(path, filter.error());
  return filter;
}

Result<Filter> open_file(const std::filesystem::path& path, const OpenOptions& options) {
  auto file = core::open_regular(path);
  if (!file) return file.error();
  auto loaded = format::load_header(*file, path);
  if (!loaded) return loaded.error();
  const auto how = options.load == Load::map ? open_mapped : open_copied;
  return how(*file, path, loaded->header, options);
}

}  // namespace

Result<Filter> open(const std::filesystem::path& path, const OpenOptions& options) {
  return guarded([&] { return open_file(path, options); });
}

Result<Filter> decode(ConstBytes bytes, const OpenOptions& options) {
  return guarded([&] { return decode_bytes(bytes, options); });
}

Result<Filter> decode_head(ConstBytes head, const OpenOptions& options) {
  return guarded([&]() -> Result<Filter> {
    auto header = format::decode_lone_header(head);
    if (!header) return header.error();
    if (auto possible = format::check_pieces(*header); !possible) return possible.error();
    auto parts = parts_of(*header, options);
    if (!parts) return parts.error();
    return gated(FilterAccess::load(std::move(*parts), [](std::size_t, std::uint64_t, Bytes) { return Result<void>{}; }));
  });
}

Result<FileInfo> inspect(const std::filesystem::path& path) {
  return guarded([&]() -> Result<FileInfo> {
    auto file = core::open_regular(path);
    if (!file) return file.error();
    const auto loaded = format::load_header(*file, path);
    if (!loaded) return loaded.error();
    const Header& header = loaded->header;
    return FileInfo{header.version,         header.file_bytes,        header.header_bytes,
                    header.alignment(),     header.chunks(),          header.required_features,
                    header.optional_features};
  });
}

}  // namespace bloomery
