// Memory for benchmarks: zeroed, touched, on pages of a chosen size.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>

namespace bench {

enum class PageSize { huge, small };  // 2 MiB where the system grants them, or 4 KiB

// Owns a run of bytes on a 2 MiB boundary; every page is touched. Ends the program where memory is refused.
class Pages {
 public:
  Pages() noexcept = default;
  explicit Pages(std::size_t size_bytes, PageSize page_size = PageSize::huge);
  Pages(Pages&& other) noexcept;
  Pages& operator=(Pages&& other) noexcept;
  ~Pages();

  std::byte* data() noexcept { return data_; }
  const std::byte* data() const noexcept { return data_; }
  std::size_t size() const noexcept { return size_; }
  std::span<const std::byte> bytes() const noexcept { return {data_, size_}; }
  template <class T>
  T* as() noexcept {
    return reinterpret_cast<T*>(data_);
  }

 private:
  std::byte* data_ = nullptr;
  std::size_t size_ = 0;
  std::size_t mapped_ = 0;
};

// Which share of these bytes lies on huge pages, 0 to 1. Cost: reads /proc/self/smaps.
double huge_share(std::span<const std::byte> bytes);

// While it lives, new pages of this process are 4 KiB pages, whatever is asked for. Pages that are there stay.
class SmallPagesOnly {
 public:
  SmallPagesOnly();
  ~SmallPagesOnly();
  SmallPagesOnly(const SmallPagesOnly&) = delete;
  SmallPagesOnly& operator=(const SmallPagesOnly&) = delete;
};

[[noreturn]] void die(const char* why);

}  // namespace bench
