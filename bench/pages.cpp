#include "pages.hpp"

#include <sys/mman.h>
#include <sys/prctl.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string>
#include <utility>

namespace bench {
namespace {

constexpr std::size_t kHugeBytes = std::size_t{2} << 20;

std::size_t whole_huge_pages(std::size_t bytes) { return (bytes + kHugeBytes - 1) / kHugeBytes * kHugeBytes; }

}  // namespace

void die(const char* why) {
  std::fprintf(stderr, "bench: %s\n", why);
  std::exit(2);
}

Pages::Pages(std::size_t size_bytes, PageSize page_size) : size_(size_bytes), mapped_(whole_huge_pages(size_bytes)) {
  void* p = mmap(nullptr, mapped_ + kHugeBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (p == MAP_FAILED) die("out of memory: choose fewer keys");
  auto* start = static_cast<std::byte*>(p);
  const std::size_t head = whole_huge_pages(reinterpret_cast<std::uintptr_t>(p)) - reinterpret_cast<std::uintptr_t>(p);
  if (head != 0) munmap(start, head);
  if (head != kHugeBytes) munmap(start + head + mapped_, kHugeBytes - head);
  data_ = start + head;
  madvise(data_, mapped_, page_size == PageSize::huge ? MADV_HUGEPAGE : MADV_NOHUGEPAGE);
  std::memset(data_, 0, size_);
}

Pages::Pages(Pages&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)),
      size_(std::exchange(other.size_, 0)),
      mapped_(std::exchange(other.mapped_, 0)) {}

Pages& Pages::operator=(Pages&& other) noexcept {
  std::swap(data_, other.data_);
  std::swap(size_, other.size_);
  std::swap(mapped_, other.mapped_);
  return *this;
}

Pages::~Pages() {
  if (data_ != nullptr) munmap(data_, mapped_);
}

double huge_share(std::span<const std::byte> bytes) {
  std::ifstream maps("/proc/self/smaps");
  const auto address = reinterpret_cast<std::uintptr_t>(bytes.data());
  std::string line;
  bool inside = false;
  double resident_kib = 0, huge_kib = 0;
  while (std::getline(maps, line)) {
    unsigned long from = 0, to = 0;
    if (std::sscanf(line.c_str(), "%lx-%lx ", &from, &to) == 2) {
      if (inside) break;
      inside = from <= address && address < to;
    }
    if (!inside) continue;
    std::sscanf(line.c_str(), "Rss: %lf", &resident_kib);
    std::sscanf(line.c_str(), "AnonHugePages: %lf", &huge_kib);
  }
  return resident_kib > 0 ? std::min(1.0, huge_kib / resident_kib) : 0;
}

SmallPagesOnly::SmallPagesOnly() {
  if (prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0) != 0) die("this system does not let a program refuse huge pages");
}

SmallPagesOnly::~SmallPagesOnly() { prctl(PR_SET_THP_DISABLE, 0, 0, 0, 0); }

}  // namespace bench
