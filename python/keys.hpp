// Keys as Python has them: str (its UTF-8), bytes, bytearray, memoryview; and int, which is a key of its 8
// little-endian bytes, or, where the caller hashes (precomputed), the hash itself.
#pragma once
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <array>
#include <bit>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "bloomery/filter.hpp"

namespace bloomery::python {

namespace py = pybind11;
static_assert(std::endian::native == std::endian::little, "words in memory are taken as their little-endian bytes");

inline constexpr std::size_t kChunk = 1024;  // keys that are looked at together

struct Key {
  py::object keeper = {};  // of the bytes
  std::string_view bytes = {};
  std::uint64_t word = 0;
  bool is_word = false;
};

// Errors: TypeError for what is no key, OverflowError for an int outside 0 .. 2^64-1.
Key key_of(py::handle object);

[[noreturn]] void refuse_bytes();  // a filter of hashes was given a key to hash

// Calls use(what), with what a may_contain or insert of Filter takes.
template <class Use>
auto with_key(const Hasher& hasher, const Key& key, Use&& use) {
  const bool hashed = hasher.id == HashId::precomputed;
  if (hashed && !key.is_word) refuse_bytes();
  if (hashed) return use(Hash::from_u64(key.word));
  if (!key.is_word) return use(key.bytes);
  return use(std::string_view(reinterpret_cast<const char*>(&key.word), sizeof(key.word)));
}

// A numpy array of unsigned integers or of bytes ('S'; numpy itself drops their trailing NULs).
class ArrayKeys {
 public:
  // Errors: TypeError for any other array.
  explicit ArrayKeys(const py::array& array);

  std::size_t size() const { return size_; }
  py::array_t<bool> answers() const;  // an array for them, of the same form

  // Calls use(span of words, position) or use(span of views, position). Needs no interpreter.
  template <class Use>
  void each_chunk(const Hasher& hasher, Use&& use) const {
    const bool hashed = hasher.id == HashId::precomputed;
    if (hashed && !words_) refuse_bytes();
    if (hashed) return use(std::span(reinterpret_cast<const std::uint64_t*>(data_), size_), std::size_t{0});
    std::array<std::string_view, kChunk> views;
    for (std::size_t at = 0; at < size_; at += kChunk) {
      const std::size_t count = std::min(kChunk, size_ - at);
      for (std::size_t i = 0; i < count; ++i) views[i] = view(at + i);
      use(std::span<const std::string_view>(views).first(count), at);
    }
  }

 private:
  std::string_view view(std::size_t index) const {
    std::size_t length = item_bytes_;
    const char* start = data_ + index * item_bytes_;
    while (!words_ && length > 0 && start[length - 1] == '\0') --length;
    return {start, length};
  }

  py::array array_;
  bool words_ = false;
  const char* data_ = nullptr;
  std::size_t size_ = 0, item_bytes_ = 0;
};

// Any iterable of keys, a chunk at a time. Needs the interpreter; what it shows does not.
class IteratedKeys {
 public:
  // Errors: TypeError for what is not iterable, and for one str or bytes: that is a key, not keys.
  IteratedKeys(py::handle iterable, const Hasher& hasher);
  bool next();  // false: there are no more

  // Calls use(span of words) or use(span of views).
  template <class Use>
  auto chunk(Use&& use) const {
    return hashed_ ? use(std::span<const std::uint64_t>(words_).first(count_))
                   : use(std::span<const std::string_view>(views_).first(count_));
  }

 private:
  py::iterator rest_;
  bool hashed_;
  std::size_t count_ = 0;
  std::vector<py::object> keepers_;
  std::array<std::uint64_t, kChunk> words_;
  std::array<std::string_view, kChunk> views_;
};

}  // namespace bloomery::python
