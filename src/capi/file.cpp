// Filters in files and bytes.
#include <memory>
#include <vector>

#include "capi/translate.hpp"

using namespace bloomery;
using namespace bloomery::capi;

namespace {

Result<OpenOptions> to_options(const bloomery_open_options* options) {
  const bloomery_open_options defaults = BLOOMERY_OPEN_OPTIONS_INIT;
  const auto given = read_struct("options", options != nullptr ? options : &defaults, defaults);
  if (!given) return given.error();
  if (given->load != BLOOMERY_LOAD_MAP && given->load != BLOOMERY_LOAD_COPY)
    return Error{Errc::invalid_argument, "options: load must be BLOOMERY_LOAD_MAP or BLOOMERY_LOAD_COPY"};
  OpenOptions read;
  read.load = given->load == BLOOMERY_LOAD_COPY ? Load::copy : Load::map;
  read.without_key = given->without_key != 0;
  if (given->key != nullptr) std::memcpy(read.key.emplace().data(), given->key, sizeof(SecretKey));
  return read;
}

// Is there something to read? An empty run of bytes is: it is not a filter, and decode says so.
Result<ConstBytes> to_bytes(const void* bytes, std::size_t size) {
  if (bytes == nullptr && size != 0) return null_argument("bytes");
  return ConstBytes(static_cast<const std::byte*>(bytes), size);
}

bloomery_file_info to_c(const FileInfo& from) {
  bloomery_file_info info = BLOOMERY_FILE_INFO_INIT;
  info.version = from.version;
  info.file_bytes = from.file_bytes;
  info.header_bytes = from.header_bytes;
  info.alignment = from.alignment;
  info.chunks = from.chunks;
  info.required_features = from.required_features;
  info.optional_features = from.optional_features;
  return info;
}

}  // namespace

bloomery_status bloomery_open(const char* path, const bloomery_open_options* options, bloomery_filter** out,
                              bloomery_error* error) {
  return make(out, error, [&]() -> Result<Filter> {
    if (path == nullptr) return null_argument("path");
    const auto read = to_options(options);
    if (!read) return read.error();
    return bloomery::open(path, *read);
  });
}

bloomery_status bloomery_decode(const void* bytes, size_t size, const bloomery_open_options* options,
                                bloomery_filter** out, bloomery_error* error) {
  return make(out, error, [&]() -> Result<Filter> {
    const auto given = to_bytes(bytes, size);
    if (!given) return given.error();
    const auto read = to_options(options);
    if (!read) return read.error();
    return bloomery::decode(*given, *read);
  });
}

bloomery_status bloomery_save(const bloomery_filter* filter, const char* path, bloomery_error* error) {
  return run(error, [&]() -> Result<void> {
    if (auto given = need({{filter, "filter"}, {path, "path"}}); !given) return given;
    return bloomery::save(filter->filter, path);
  });
}

bloomery_status bloomery_write(const bloomery_filter* filter, int fd, bloomery_error* error) {
  return run(error, [&]() -> Result<void> {
    if (filter == nullptr) return null_argument("filter");
    return bloomery::write(filter->filter, fd);
  });
}

bloomery_status bloomery_encode(const bloomery_filter* filter, bloomery_bytes* out, bloomery_error* error) {
  if (out != nullptr) *out = {};
  return run(error, [&]() -> Result<void> {
    if (auto given = need({{filter, "filter"}, {out, "out"}}); !given) return given;
    auto encoded = bloomery::encode(filter->filter);
    if (!encoded) return encoded.error();
    auto* owner = new std::vector<std::byte>(*std::move(encoded));
    *out = {reinterpret_cast<const unsigned char*>(owner->data()), owner->size(), owner};
    return {};
  });
}

void bloomery_free_bytes(bloomery_bytes* bytes) {
  if (bytes == nullptr) return;
  delete static_cast<std::vector<std::byte>*>(bytes->owner);
  *bytes = {};
}

bloomery_status bloomery_verify(const char* path, bloomery_error* error) {
  return run(error, [&]() -> Result<void> {
    if (path == nullptr) return null_argument("path");
    return bloomery::verify(path);
  });
}

bloomery_status bloomery_verify_bytes(const void* bytes, size_t size, bloomery_error* error) {
  return run(error, [&]() -> Result<void> {
    const auto given = to_bytes(bytes, size);
    if (!given) return given.error();
    return bloomery::verify(*given);
  });
}

bloomery_status bloomery_inspect(const char* path, bloomery_file_info* info, bloomery_error* error) {
  return run(error, [&]() -> Result<void> {
    if (path == nullptr) return null_argument("path");
    const auto inspected = bloomery::inspect(path);
    if (!inspected) return inspected.error();
    return write_struct("info", info, to_c(*inspected));
  });
}

bloomery_status bloomery_lock_acquire(const char* path, bloomery_lock** out, bloomery_error* error) {
  return make(out, error, [&]() -> Result<Lock> {
    if (path == nullptr) return null_argument("path");
    return Lock::acquire(path);
  });
}

void bloomery_lock_release(bloomery_lock* lock) { delete lock; }
