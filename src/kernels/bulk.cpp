#include "kernels/bulk.hpp"

#include <unistd.h>

#include <algorithm>

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

BulkPlan plan_bulk(const Shape& shape, std::uint64_t keys, std::uint64_t scratch_bytes, const BulkRule& rule) noexcept {
  const std::uint64_t lines = shape.cells;
  if (shape.kind != Kind::blocked || shape.lines_per_key != 1 || keys == 0) return {};
  if (lines * Blocked::kLineBytes < rule.least_segment_bytes) return {};
  BulkPlan plan{.lines_log2 = rule.partition_lines_log2};
  while (((lines - 1) >> plan.lines_log2) + 1 > rule.most_partitions) ++plan.lines_log2;
  // Each partition may leave its last block nearly empty.
  const std::uint64_t waste_bytes = (((lines - 1) >> plan.lines_log2) + 1) * Partitions::kBlockBytes;
  if (scratch_bytes < waste_bytes + Partitions::kBlockBytes) return {};
  const std::uint64_t room = (scratch_bytes - waste_bytes) / sizeof(std::uint64_t);
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

std::uint64_t insert_partitions(const Shape& shape, Bytes bytes, const Partitions& partitions,
                                unsigned lines_log2) noexcept {
  const InsertJob job{bytes.data(), shape.cells, shape.probes, 1, false};
  const BlockedKernel& kernel = active_kernel();
  LineFetcher lines(bytes, Blocked::kLineBytes << lines_log2);
  lines.start(0);
  std::uint64_t fresh = 0;
  for (std::size_t p = 0; p < partitions.size(); ++p) {
    lines.fetch(bytes.size());  // what is left of this partition
    lines.start(p + 1);
    partitions.each_run(p, [&](const std::uint64_t* words, std::uint64_t count) {
      lines.fetch(count * sizeof *words);
      fresh += kernel.insert_words(job, words, count, nullptr);
    });
  }
  return fresh;
}

template <class Key>
std::uint64_t insert_by_partition(const Shape& shape, Bytes bytes, std::span<const Key> keys,
                                  const BulkPlan& plan) noexcept {
  if (plan.keys_per_pass == 0) return insert(shape, bytes, keys, nullptr);
  Partitions partitions(shape.cells, plan.lines_log2, plan.scratch_bytes);
  if (!partitions.ok()) return insert(shape, bytes, keys, nullptr);
  std::uint64_t fresh = 0;
  for (std::size_t done = 0; done < keys.size();) {
    done += partitions.take(keys.data() + done, std::min<std::uint64_t>(plan.keys_per_pass, keys.size() - done));
    fresh += insert_partitions(shape, bytes, partitions, plan.lines_log2);
    partitions.clear();
  }
  return fresh;
}

}  // namespace

bool partitioning_pays(const Shape& shape, std::uint64_t keys, std::uint64_t scratch_bytes,
                       const BulkRule& rule) noexcept {
  return plan_bulk(shape, keys, scratch_bytes, rule).keys_per_pass != 0;
}

std::uint64_t default_scratch_bytes(std::uint64_t segment_bytes) noexcept {
  const auto pages = static_cast<std::uint64_t>(std::max(0L, sysconf(_SC_AVPHYS_PAGES)));
  const auto page_bytes = static_cast<std::uint64_t>(std::max(0L, sysconf(_SC_PAGESIZE)));
  return std::min(std::max(segment_bytes, std::uint64_t{64} << 20), pages * page_bytes / 4);
}

std::uint64_t insert_bulk(const Shape& shape, Bytes bytes, std::span<const Hash> keys, std::uint64_t scratch_bytes,
                          const BulkRule& rule) noexcept {
  return insert_by_partition(shape, bytes, keys, plan_bulk(shape, keys.size(), scratch_bytes, rule));
}

std::uint64_t insert_bulk(const Shape& shape, Bytes bytes, std::span<const std::uint64_t> keys,
                          std::uint64_t scratch_bytes, const BulkRule& rule) noexcept {
  return insert_by_partition(shape, bytes, keys, plan_bulk(shape, keys.size(), scratch_bytes, rule));
}

}  // namespace bloomery::kernels
