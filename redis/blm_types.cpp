#include "redis/blm_types.hpp"

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <new>

#include "redis/native.hpp"
#include "redis/pieces.hpp"
#include "redis/value_type.hpp"

namespace bloomery::redis {
namespace {

constexpr int kEncodingVersion = 1;  // the head, then every run of bytes and its checksum

struct Free {
  void operator()(char* bytes) const noexcept { api.free(bytes); }
};
struct Loaded {
  std::unique_ptr<char, Free> bytes;
  std::size_t size = 0;
  std::string_view text() const noexcept { return {bytes.get(), bytes ? size : 0}; }
};

Loaded load_string(Io* io) noexcept {
  Loaded loaded;
  loaded.bytes.reset(api.load_string(io, &loaded.size));
  return loaded;
}

bool load_runs(Io* io, Native& native) noexcept {
  std::uint64_t offset = 0;
  for (auto run = native.run(0, kMaxRunBytes); !run.empty(); run = native.run(offset, kMaxRunBytes)) {
    const Loaded loaded = load_string(io);
    if (loaded.size != run.size() || !loaded.bytes) return false;
    const std::uint64_t sum = api.load_unsigned(io);
    offset += run.size();
    if (api.is_io_error(io) || sum != checksum(loaded.text(), number_of(offset))) return false;
    native.store(offset - run.size(), loaded.text());
  }
  return true;
}

template <Kind kind>
void* load(Io* io, int version) {
  if (version != kEncodingVersion) return nullptr;
  const Loaded loaded = load_string(io);
  const auto head = unsealed(loaded.text(), kHeadNumber);
  auto native = head ? Native::from_header(*head) : nullptr;
  if (!native || native->kind() != kind || !load_runs(io, *native)) return nullptr;
  return static_cast<Value*>(native.release());
}

const Native& native_of(const void* kept) noexcept { return static_cast<const Native&>(value_of(kept)); }

// A server that saves has no way to be told that there is no memory: a filter that is left out would be a lost one.
[[noreturn]] void end_without_memory() noexcept {
  std::fputs("bloomery: no memory to save a filter\n", stderr);
  std::abort();
}

// Calls put(bytes, number) for the head and for every run.
template <class Put>
void each_piece(const Native& native, Put put) noexcept {
  try {
    put(std::string_view(native.header()), kHeadNumber);
    std::uint64_t offset = 0;
    for (auto run = native.run(0, kMaxRunBytes); !run.empty(); run = native.run(offset, kMaxRunBytes)) {
      offset += run.size();
      put(run, number_of(offset));
    }
  } catch (const std::bad_alloc&) {  // for the head, some kilobytes, or for a piece of an AOF
    end_without_memory();
  }
}

// The bytes go from where they are.
void save(Io* io, void* kept) {
  each_piece(native_of(kept), [io](std::string_view piece, long long number) {
    if (number == kHeadNumber) {
      const std::string head = sealed(piece, number);
      return api.save_string(io, head.data(), head.size());
    }
    api.save_string(io, piece.data(), piece.size());
    api.save_unsigned(io, checksum(piece, number));
  });
}

void rewrite(Io* io, String* key, void* kept) {
  each_piece(native_of(kept), [io, key](std::string_view piece, long long number) {
    const std::string chunk = sealed(piece, number);
    api.emit_aof(io, "BF.LOADCHUNK", "slb", key, number, chunk.data(), chunk.size());
  });
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
