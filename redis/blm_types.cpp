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

constexpr int kEncodingVersion = 1;  // five words and their checksum, then strings that are a .blm file, one after the other

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

std::uint64_t checksum(const Native::Words& words) noexcept {
  return redis::checksum({reinterpret_cast<const char*>(words.data()), sizeof words}, 0);
}

bool load_payload(Io* io, Native& native) noexcept {
  std::uint64_t offset = 0;
  for (auto run = native.run(0, kMaxChunkBytes); !run.empty(); run = native.run(offset, kMaxChunkBytes)) {
    const Loaded loaded = load_string(io);
    if (loaded.size != run.size() || !loaded.bytes) return false;
    if (native.store(offset, loaded.text()) != Bloom::Stored::yes) return false;
    offset += run.size();
  }
  return true;
}

bool matches(const Native& native, std::string_view blm_header) noexcept {
  try {
    return native.blm_header() == blm_header;
  } catch (const std::bad_alloc&) {
    return false;
  }
}

// The header's checksums are those of the payload if it makes the same header again.
template <Kind kind>
void* load(Io* io, int version) {
  if (version != kEncodingVersion) return nullptr;
  Native::Words words;
  for (std::uint64_t& word : words) word = api.load_unsigned(io);
  if (api.load_unsigned(io) != checksum(words)) return nullptr;
  const Loaded header = load_string(io);
  if (!header.bytes) return nullptr;
  auto native = Native::from_header(words, header.text());
  if (!native || native->kind() != kind || !load_payload(io, *native) || !matches(*native, header.text())) return nullptr;
  return static_cast<Value*>(native.release());
}

const Native& native_of(const void* kept) noexcept { return static_cast<const Native&>(value_of(kept)); }

// A server that saves has no way to be told that there is no memory: a filter that is left out would be a lost one.
[[noreturn]] void end_without_memory() noexcept {
  std::fputs("bloomery: no memory to save a filter\n", stderr);
  std::abort();
}

// Calls put(run, where it ends) for the whole payload. The bytes go from where they are.
template <class Put>
void each_run(const Native& native, std::uint64_t max_bytes, Put put) {
  std::uint64_t offset = 0;
  for (auto run = native.run(0, max_bytes); !run.empty(); run = native.run(offset, max_bytes)) {
    offset += run.size();
    put(run, offset);
  }
}

void save(Io* io, void* kept) noexcept {
  const Native& native = native_of(kept);
  try {
    const std::string header = native.blm_header();
    const Native::Words words = native.words();
    for (const std::uint64_t word : words) api.save_unsigned(io, word);
    api.save_unsigned(io, checksum(words));
    api.save_string(io, header.data(), header.size());
  } catch (const std::bad_alloc&) {
    end_without_memory();
  }
  each_run(native, kMaxChunkBytes, [io](std::string_view run, std::uint64_t) { api.save_string(io, run.data(), run.size()); });
}

void rewrite(Io* io, String* key, void* kept) noexcept {
  const auto emit = [io, key](std::string_view piece, long long number) {
    const std::string chunk = sealed(piece, number);
    api.emit_aof(io, "BF.LOADCHUNK", "slb", key, number, chunk.data(), chunk.size());
  };
  try {
    emit(native_of(kept).header(), kHeadNumber);
    each_run(native_of(kept), kMaxRunBytes, [&](std::string_view run, std::uint64_t end) { emit(run, number_of(end)); });
  } catch (const std::bad_alloc&) {
    end_without_memory();
  }
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
