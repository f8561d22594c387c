// Little-endian fields, one after the other.
#pragma once
#include <cstdint>

#include "bloomery/layout.hpp"

namespace bloomery::format {

// REQUIRES (both): the bytes suffice for what is put or got.
class Writer {
 public:
  explicit Writer(Bytes bytes) noexcept : next_(bytes.data()) {}
  template <class T>
  void put(T value) noexcept {
    store_le(next_, value);
    next_ += sizeof value;
  }
  void skip(std::size_t bytes) noexcept { next_ += bytes; }

 private:
  std::byte* next_;
};

class Reader {
 public:
  explicit Reader(ConstBytes bytes) noexcept : left_(bytes) {}
  template <class T>
  T get() noexcept {
    const T value = load_le<T>(left_.data());
    left_ = left_.subspan(sizeof value);
    return value;
  }
  void skip(std::size_t bytes) noexcept { left_ = left_.subspan(bytes); }
  void zeros(std::size_t bytes) noexcept {
    for (const std::byte byte : left_.first(bytes)) zeros_were_zero_ = zeros_were_zero_ && byte == std::byte{0};
    skip(bytes);
  }
  bool zeros_were_zero() const noexcept { return zeros_were_zero_; }
  std::size_t left() const noexcept { return left_.size(); }

 private:
  ConstBytes left_;
  bool zeros_were_zero_ = true;
};

}  // namespace bloomery::format
