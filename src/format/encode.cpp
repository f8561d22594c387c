// Filter -> bytes: one pass over the payload for the checksums, a second one that writes.
#include <algorithm>
#include <array>
#include <cmath>

#include "bloomery/file.hpp"
#include "core/atomic_file.hpp"
#include "core/checksum.hpp"
#include "filter/access.hpp"
#include "core/guard.hpp"
#include "format/header.hpp"

namespace bloomery {

namespace {

using format::Header;
using format::kChunkBytes;

// Calls out(run) for the whole payload, from first byte to last, padding included.
template <class Out>
void each_run(const Filter& filter, const Header& header, Out&& out) {
  static constexpr std::array<std::byte, format::kPageBytes> kZeros{};
  std::uint64_t at = header.header_bytes;
  for (std::size_t i = 0; i < header.segments.size(); ++i) {
    out(ConstBytes(kZeros).first(static_cast<std::size_t>(header.offsets[i] - at)));  // less than a page
    FilterAccess::visit_payload(
        filter, i,
        [](void* context, ConstBytes run) { (*static_cast<std::remove_reference_t<Out>*>(context))(run); }, &out);
    at = header.offsets[i] + format::segment_bytes(header.segments[i]);
  }
}

// Cuts what comes in into chunks and sums each.
class ChunkSums {
 public:
  explicit ChunkSums(std::uint64_t chunks) : sum_(0) { sums_.reserve(chunks); }
  void operator()(ConstBytes run) {
    while (!run.empty()) {
      const auto part = run.first(std::min<std::size_t>(run.size(), kChunkBytes - filled_));
      sum_.update(part);
      filled_ += part.size();
      run = run.subspan(part.size());
      if (filled_ == kChunkBytes) next();
    }
  }
  std::vector<std::uint64_t> finish() {
    if (filled_ > 0) next();
    return std::move(sums_);
  }

 private:
  void next() {
    sums_.push_back(sum_.digest());
    sum_.restart(sums_.size());
    filled_ = 0;
  }
  core::Checksum sum_;
  std::vector<std::uint64_t> sums_;
  std::size_t filled_ = 0;
};

struct Prepared {
  Header header;
  std::vector<std::byte> bytes;  // of the header
};

Result<Header> header_of(const Filter& filter) {
  Header header;
  header.optional_features = filter.optional_features();
  header.growth = filter.growth();
  header.hasher = filter.hasher();
  header.hasher.key = FilterAccess::stored_key(filter);
  header.counts = filter.counts();
  const double wrong = header.counts.expected_wrong_repeats;
  if (!std::isfinite(wrong) || wrong < 0)
    return Error{Errc::invalid_argument, "expected_wrong_repeats must be a number from 0 on"};
  for (std::size_t i = 0; i < filter.segments().size(); ++i)
    header.segments.push_back(FilterAccess::file_segment(filter, i));
  if (auto placed = place(header); !placed) return placed.error();
  return header;
}

std::vector<std::uint64_t> sums_of(const Filter& filter, const Header& header) {
  ChunkSums sums(header.chunks());
  each_run(filter, header, sums);
  return sums.finish();
}

Result<Prepared> prepare(const Filter& filter) {
  auto header = header_of(filter);
  if (!header) return header.error();
  auto bytes = serialize(*header, sums_of(filter, *header));
  return Prepared{std::move(*header), std::move(bytes)};
}

// The whole file through put(bytes), which gives a Result<void>; stops asking after the first error.
template <class Put>
Result<void> emit(const Filter& filter, const Prepared& prepared, Put&& put) {
  Result<void> result = put(ConstBytes(prepared.bytes));
  each_run(filter, prepared.header, [&](ConstBytes run) {
    if (result) result = put(run);
  });
  return result;
}

Result<void> save_file(const Filter& filter, const std::filesystem::path& path) {
  auto file = core::AtomicFile::create(path);  // first: a path that cannot be written is the cheaper error
  if (!file) return file.error();
  auto prepared = prepare(filter);
  if (!prepared) return prepared.error();
  if (auto put = emit(filter, *prepared, [&](ConstBytes run) { return file->append(run); }); !put) return put;
  return file->commit();
}

Result<void> write_descriptor(const Filter& filter, int fd) {
  auto prepared = prepare(filter);
  if (!prepared) return prepared.error();
  return emit(filter, *prepared, [&](ConstBytes run) -> Result<void> {
    const int error = core::write_all(fd, run);
    if (error == 0) return {};
    return core::io_error("write to", core::name_of(fd), error);
  });
}

}  // namespace

Result<std::vector<std::byte>> encode(const Filter& filter) {
  return guarded([&]() -> Result<std::vector<std::byte>> {
    auto prepared = prepare(filter);
    if (!prepared) return prepared.error();
    std::vector<std::byte> bytes;
    bytes.reserve(prepared->header.file_bytes);
    auto put = emit(filter, *prepared, [&](ConstBytes run) -> Result<void> {
      bytes.insert(bytes.end(), run.begin(), run.end());
      return {};
    });
    if (!put) return put.error();
    return bytes;
  });
}

Result<std::vector<std::byte>> encode_head(const Filter& filter) {
  return guarded([&]() -> Result<std::vector<std::byte>> {
    const auto header = header_of(filter);
    if (!header) return header.error();
    if (auto possible = check_pieces(*header); !possible) return possible.error();
    return serialize(*header, sums_of(filter, *header));
  });
}

std::uint64_t segment_alignment(const Filter& filter) noexcept {
  return std::uint64_t{1} << format::alignment_log2(filter.size_bytes());
}

Result<void> save(const Filter& filter, const std::filesystem::path& path) {
  return guarded([&] { return save_file(filter, path); });
}

Result<void> write(const Filter& filter, int fd) {
  return guarded([&] { return write_descriptor(filter, fd); });
}

}  // namespace bloomery
