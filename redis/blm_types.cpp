#include "redis/blm_types.hpp"

#include <cstdio>
#include <cstdlib>
#include <new>

#include "redis/native.hpp"
#include "redis/value_type.hpp"

namespace bloomery::redis {
namespace {

constexpr int kEncodingVersion = 1;  // the expansion, and the .blm form in one string

template <Kind kind>
void* load(Io* io, int version) {
  if (version != kEncodingVersion) return nullptr;
  const std::uint64_t expansion = api.load_unsigned(io);
  if (api.is_io_error(io)) return nullptr;
  std::size_t size = 0;
  char* bytes = api.load_string(io, &size);
  if (!bytes) return nullptr;
  auto native = Native::decode(kind, {bytes, size}, expansion);
  api.free(bytes);
  return static_cast<Value*>(native.release());
}

const Native& native_of(const void* kept) noexcept { return static_cast<const Native&>(value_of(kept)); }

// A server that saves has no way to be told that there is no memory: an empty string would be a lost filter.
[[noreturn]] void end_without_memory() noexcept {
  std::fputs("bloomery: no memory to save a filter\n", stderr);
  std::abort();
}

void save(Io* io, void* kept) {
  const auto bytes = native_of(kept).encode();
  if (bytes.empty()) end_without_memory();
  api.save_unsigned(io, native_of(kept).expansion());
  api.save_string(io, reinterpret_cast<const char*>(bytes.data()), bytes.size());
}

void rewrite(Io* io, String* key, void* kept) {
  std::string packed;
  try {
    packed = native_of(kept).pack();
  } catch (const std::bad_alloc&) {
  }
  if (packed.empty()) end_without_memory();
  api.emit_aof(io, "BF.LOADCHUNK", "slb", key, 1LL, packed.data(), packed.size());
}

template <Kind kind>
Type* create(Context* context, const char* name) noexcept {
  TypeMethods methods = value_methods();
  methods.rdb_load = load<kind>;
  methods.rdb_save = save;
  methods.aof_rewrite = rewrite;
  return api.create_data_type(context, name, kEncodingVersion, &methods);
}

}  // namespace

Type* blocked_type = nullptr;
Type* counting_type = nullptr;
Type* windowed_type = nullptr;

bool register_blm_types(Context* context) noexcept {
  blocked_type = create<Kind::blocked>(context, "blmFilter");
  counting_type = create<Kind::counting>(context, "blmCount-");
  windowed_type = create<Kind::windowed>(context, "blmWindow");
  return blocked_type && counting_type && windowed_type;
}

}  // namespace bloomery::redis
