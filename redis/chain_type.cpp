#include "redis/chain_type.hpp"

#include <memory>
#include <new>

#include "redis/chain.hpp"
#include "redis/memory.hpp"
#include "redis/pieces.hpp"
#include "redis/value_type.hpp"

namespace bloomery::redis {
namespace {

constexpr int kEncodingVersion = 4;
constexpr int kWithOptions = 2, kWithGrowth = 4;  // the versions that brought them; bits and exponent: 1

// Reads that remember whether one has failed: damaged dumps end early.
class Input {
 public:
  explicit Input(Io* io) noexcept : io_(io) {}
  std::uint64_t integer() noexcept { return good() ? api.load_unsigned(io_) : 0; }
  double real() noexcept { return good() ? api.load_double(io_) : 0; }
  Bits bytes(std::uint64_t& size) noexcept {
    std::size_t length = 0;
    char* found = good() ? api.load_string(io_, &length) : nullptr;
    size = found ? length : 0;
    adopt(found);
    return Bits(reinterpret_cast<std::uint8_t*>(found));
  }
  bool good() const noexcept { return !api.is_io_error(io_); }

 private:
  Io* io_;
};

// False: not a link.
bool load_link(Input& in, int version, Link& link) noexcept {
  link.capacity = in.integer();
  link.error_rate = in.real();
  const std::uint64_t probes = in.integer();
  link.bits_per_item = in.real();
  std::uint64_t exponent = 0;
  if (version == 0) {
    const double bits = static_cast<double>(link.capacity) * link.bits_per_item;
    if (!(bits >= 0 && bits < 0x1p63)) return false;
    link.bits = static_cast<std::uint64_t>(bits);
  } else {
    link.bits = in.integer();
    exponent = in.integer();
  }
  link.data = in.bytes(link.size_bytes);
  link.items = in.integer();
  if (!in.good() || !link.data || probes > 0xffffffff || exponent > 63) return false;
  link.probes = static_cast<std::uint32_t>(probes);
  link.exponent = static_cast<std::uint8_t>(exponent);
  return sound(link);
}

std::unique_ptr<Chain> load_chain(Input& in, int version) noexcept {
  const std::uint64_t items = in.integer();
  const std::uint64_t links = in.integer();
  const std::uint64_t options = version >= kWithOptions ? in.integer() : 0;
  const std::uint64_t growth = version >= kWithGrowth ? in.integer() : 2;
  if (!in.good() || links == 0 || links > 0xffffffff || !Chain::accepted(options) || growth > 0xffffffff)
    return nullptr;
  auto chain = std::unique_ptr<Chain>(
      new (std::nothrow) Chain(static_cast<std::uint32_t>(options), static_cast<std::uint32_t>(growth)));
  for (std::uint64_t i = 0; chain && i < links; ++i) {
    Link link;
    if (!load_link(in, version, link) || !chain->append(std::move(link))) return nullptr;
  }
  return chain && chain->items() == items ? std::move(chain) : nullptr;
}

void* load(Io* io, int version) {
  if (version > kEncodingVersion) return nullptr;
  Input in(io);
  return static_cast<Value*>(load_chain(in, version).release());
}

const Chain& chain_of(const void* value) noexcept {
  return static_cast<const Chain&>(value_of(value));
}

void save(Io* io, void* value) {
  const Chain& chain = chain_of(value);
  api.save_unsigned(io, chain.items());
  api.save_unsigned(io, chain.links().size());
  api.save_unsigned(io, chain.options());
  api.save_unsigned(io, chain.growth());
  for (const Link& link : chain.links()) {
    api.save_unsigned(io, link.capacity);
    api.save_double(io, link.error_rate);
    api.save_unsigned(io, link.probes);
    api.save_double(io, link.bits_per_item);
    api.save_unsigned(io, link.bits);
    api.save_unsigned(io, link.exponent);
    api.save_string(io, reinterpret_cast<const char*>(link.data.get()), link.size_bytes);
    api.save_unsigned(io, link.items);
  }
}

// The commands that make it anew: the very ones that RedisBloom writes, so either can read the file.
void rewrite(Io* io, String* key, void* value) {
  const Chain& chain = chain_of(value);
  const std::string header = chain.header();
  api.emit_aof(io, "BF.LOADCHUNK", "slb", key, kHeadNumber, header.data(), header.size());
  std::uint64_t offset = 0;
  for (auto run = chain.run(offset, kMaxChunkBytes); !run.empty(); run = chain.run(offset, kMaxChunkBytes)) {
    offset += run.size();
    api.emit_aof(io, "BF.LOADCHUNK", "slb", key, static_cast<long long>(offset + 1), run.data(), run.size());
  }
}

}  // namespace

Type* chain_type = nullptr;

bool register_chain_type(Context* context) noexcept {
  TypeMethods methods = value_methods();
  methods.rdb_load = load;
  methods.rdb_save = save;
  methods.aof_rewrite = rewrite;
  chain_type = api.create_data_type(context, "MBbloom--", kEncodingVersion, &methods);
  return chain_type != nullptr;
}

}  // namespace bloomery::redis
