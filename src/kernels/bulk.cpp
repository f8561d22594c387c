#include "kernels/bulk.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <new>
#include <numeric>
#include <vector>

#include "core/threads.hpp"
#include "kernels/choice.hpp"
#include "kernels/kernels.hpp"
#include "kernels/partitions.hpp"

namespace bloomery::kernels {
namespace {

// How a bulk insertion goes about it. No keys per pass: not by partition.
struct BulkPlan {
  unsigned lines_log2 = 0;
  std::uint64_t keys_per_pass = 0;  // all passes take about as many
  std::uint64_t scratch_bytes = 0;
};

BulkPlan plan_bulk(const Shape& shape, std::uint64_t keys, const BulkMeans& means, const BulkRule& rule) noexcept {
  const std::uint64_t lines = shape.cells;
  if (shape.kind != Kind::blocked || shape.lines_per_key != 1 || keys == 0) return {};
  const std::uint64_t least_bytes =
      means.threads == 1 ? rule.least_segment_bytes
                         : std::min(rule.least_segment_bytes, rule.least_segment_bytes_of_threads);
  if (lines * Blocked::kLineBytes < least_bytes) return {};
  BulkPlan plan{.lines_log2 = rule.partition_lines_log2};
  while (((lines - 1) >> plan.lines_log2) + 1 > rule.most_partitions) ++plan.lines_log2;
  // Each partition of each thread may leave its last block nearly empty.
  const std::uint64_t waste_bytes = means.threads * (((lines - 1) >> plan.lines_log2) + 2) * Partitions::kBlockBytes;
  if (means.scratch_bytes < waste_bytes + Partitions::kBlockBytes) return {};
  const std::uint64_t room = (means.scratch_bytes - waste_bytes) / sizeof(std::uint64_t);
  const std::uint64_t passes = (keys - 1) / std::min(room, rule.most_keys_per_line * lines) + 1;
  plan.keys_per_pass = (keys - 1) / passes + 1;
  plan.scratch_bytes = waste_bytes + plan.keys_per_pass * sizeof(std::uint64_t);
  return plan.keys_per_pass < rule.least_keys_per_line * lines ? BulkPlan{} : plan;
}

// Fetches the lines of one partition a few at a time, while another's keys come in.
class LineFetcher {
 public:
  LineFetcher(Bytes bytes, std::uint64_t partition_bytes) noexcept
      : bytes_(bytes), partition_bytes_(partition_bytes) {}

  void start(std::uint64_t partition) noexcept {
    at_ = std::min<std::uint64_t>(partition * partition_bytes_, bytes_.size());
    end_ = std::min<std::uint64_t>(at_ + partition_bytes_, bytes_.size());
  }
  void fetch(std::uint64_t size_bytes) noexcept {
    const std::uint64_t end = at_ + std::min(size_bytes, end_ - at_);
    for (; at_ < end; at_ += Blocked::kLineBytes) prefetch(bytes_.data() + at_);
  }

 private:
  Bytes bytes_;
  std::uint64_t partition_bytes_;
  std::uint64_t at_ = 0, end_ = 0;
};

// Inserts what the lanes hold for the partitions from first to last, each partition's keys lane after lane.
std::uint64_t insert_range(const InsertJob& job, std::span<const Partitions> lanes, unsigned lines_log2,
                           std::size_t first, std::size_t last) noexcept {
  const BlockedKernel& kernel = active_kernel();
  const std::uint64_t size_bytes = job.lines * Blocked::kLineBytes;
  LineFetcher lines(Bytes(job.bytes, size_bytes), Blocked::kLineBytes << lines_log2);
  lines.start(first);
  std::uint64_t fresh = 0;
  for (std::size_t p = first; p < last; ++p) {
    lines.fetch(size_bytes);  // what is left of this partition
    lines.start(p + 1);
    for (const Partitions& lane : lanes)
      lane.each_run(p, [&](const std::uint64_t* words, std::uint64_t count) {
        lines.fetch(count * sizeof *words);
        fresh += kernel.insert_words(job, words, count, nullptr);
      });
  }
  return fresh;
}

std::uint64_t insert_partitions(const Shape& shape, Bytes bytes, std::span<const Partitions> lanes,
                                unsigned lines_log2, unsigned threads) noexcept {
  const InsertJob job{bytes.data(), shape.cells, shape.probes, 1, false};
  const std::size_t partitions = lanes[0].size();
  std::array<std::uint64_t, kMaxThreads> fresh{};
  in_threads(threads, [&](unsigned t) {
    fresh[t] = insert_range(job, lanes, lines_log2, partitions * t / threads, partitions * (t + 1) / threads);
  });
  return std::accumulate(fresh.begin(), fresh.end(), std::uint64_t{0});
}

// One for each thread, or none where memory is refused.
std::vector<Partitions> make_lanes(const Shape& shape, const BulkPlan& plan, unsigned threads) noexcept {
  std::vector<Partitions> lanes;
  try {
    lanes.reserve(threads);
  } catch (const std::bad_alloc&) {
    return lanes;
  }
  for (unsigned t = 0; t < threads; ++t) {
    lanes.emplace_back(shape.cells, plan.lines_log2, plan.scratch_bytes / threads);
    if (!lanes.back().ok()) return {};
  }
  return lanes;
}

template <class Key>
std::uint64_t insert_by_partition(const Shape& shape, Bytes bytes, std::span<const Key> keys, const BulkPlan& plan,
                                  unsigned threads) noexcept {
  if (plan.keys_per_pass == 0) return insert(shape, bytes, keys, nullptr);
  std::vector<Partitions> lanes = make_lanes(shape, plan, threads);
  if (lanes.empty()) return insert(shape, bytes, keys, nullptr);
  std::uint64_t fresh = 0;
  for (std::size_t done = 0; done < keys.size();) {
    const auto pass = keys.subspan(done, std::min<std::uint64_t>(plan.keys_per_pass, keys.size() - done));
    in_threads(threads, [&](unsigned t) {  // the plan left room for all
      const std::size_t from = pass.size() * t / threads, to = pass.size() * (t + 1) / threads;
      lanes[t].take(pass.data() + from, to - from);
    });
    fresh += insert_partitions(shape, bytes, lanes, plan.lines_log2, threads);
    for (Partitions& lane : lanes) lane.clear();
    done += pass.size();
  }
  return fresh;
}

}  // namespace

bool partitioning_pays(const Shape& shape, std::uint64_t keys, const BulkMeans& means,
                       const BulkRule& rule) noexcept {
  return plan_bulk(shape, keys, means, rule).keys_per_pass != 0;
}

std::uint64_t default_scratch_bytes(std::uint64_t segment_bytes) noexcept {
  const auto pages = static_cast<std::uint64_t>(std::max(0L, sysconf(_SC_AVPHYS_PAGES)));
  const auto page_bytes = static_cast<std::uint64_t>(std::max(0L, sysconf(_SC_PAGESIZE)));
  return std::min(std::max(segment_bytes, std::uint64_t{64} << 20), pages * page_bytes / 4);
}

std::uint64_t insert_bulk(const Shape& shape, Bytes bytes, std::span<const Hash> keys, const BulkMeans& means,
                          const BulkRule& rule) noexcept {
  return insert_by_partition(shape, bytes, keys, plan_bulk(shape, keys.size(), means, rule), means.threads);
}

std::uint64_t insert_bulk(const Shape& shape, Bytes bytes, std::span<const std::uint64_t> keys,
                          const BulkMeans& means, const BulkRule& rule) noexcept {
  return insert_by_partition(shape, bytes, keys, plan_bulk(shape, keys.size(), means, rule), means.threads);
}

BulkStream::BulkStream(const Shape& shape, Bytes bytes, std::uint64_t expected_keys, const BulkMeans& means,
                       const BulkRule& rule) noexcept
    : shape_(shape), bytes_(bytes), threads_(means.threads) {
  const BulkPlan plan = plan_bulk(shape, expected_keys, means, rule);
  if (plan.keys_per_pass == 0) return;
  lines_log2_ = plan.lines_log2;
  partitions_.reset(new (std::nothrow) Partitions(shape.cells, plan.lines_log2, plan.scratch_bytes));
  if (partitions_ && !partitions_->ok()) partitions_.reset();
}

BulkStream::BulkStream(BulkStream&&) noexcept = default;
BulkStream& BulkStream::operator=(BulkStream&&) noexcept = default;
BulkStream::~BulkStream() = default;

template <class Key>
std::uint64_t BulkStream::add_all(std::span<const Key> keys) noexcept {
  if (!partitions_) return insert(shape_, bytes_, keys, nullptr);
  std::uint64_t fresh = 0;
  for (std::size_t done = 0; done < keys.size();) {
    done += partitions_->take(keys.data() + done, keys.size() - done);
    if (partitions_->is_full()) fresh += flush();
  }
  return fresh;
}

template std::uint64_t BulkStream::add_all(std::span<const Hash>) noexcept;
template std::uint64_t BulkStream::add_all(std::span<const std::uint64_t>) noexcept;

std::uint64_t BulkStream::flush() noexcept {
  if (!partitions_) return 0;
  const std::uint64_t fresh =
      insert_partitions(shape_, bytes_, std::span<const Partitions>(partitions_.get(), 1), lines_log2_, threads_);
  partitions_->clear();
  return fresh;
}

}  // namespace bloomery::kernels
