// What the tests of files share: sample filters, folders that vanish, headers sealed again.
#pragma once
#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "bloomery/file.hpp"
#include "format/header.hpp"

namespace bloomery::testing {

using FileBytes = std::vector<std::byte>;

class TempFolder {
 public:
  TempFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "bloomery_test_XXXXXX").string();
    if (::mkdtemp(name.data()) != nullptr) path_ = name;
  }
  ~TempFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  std::filesystem::path operator/(const std::string& name) const { return path_ / name; }
  const std::filesystem::path& path() const { return path_; }
  std::size_t entries() const {
    return static_cast<std::size_t>(
        std::distance(std::filesystem::directory_iterator(path_), std::filesystem::directory_iterator()));
  }

 private:
  std::filesystem::path path_;
};

inline FileBytes read_file(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  const std::string text((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
  const auto* first = reinterpret_cast<const std::byte*>(text.data());
  return {first, first + text.size()};
}

inline void write_file(const std::filesystem::path& path, ConstBytes bytes) {
  std::ofstream out(path, std::ios::binary | std::ios::trunc);
  out.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
}

template <class T>
T unwrap(Result<T> result) {
  if (!result) throw std::runtime_error(result.error().message);
  return std::move(*result);
}

inline Hash test_hash(std::uint64_t i) { return {mix(i * 3 + 1), mix(i * 5 + 2)}; }
inline std::string test_key(std::uint64_t i) { return "key-" + std::to_string(i); }

// Keys 0 .. n-1 are in; as strings where the hasher takes them.
inline void fill(Filter& filter, std::uint64_t n, std::uint64_t first = 0) {
  const bool strings = filter.can(Filter::Op::insert_string);
  for (std::uint64_t i = first; i < first + n; ++i) {
    const auto inserted = strings ? filter.insert(test_key(i)) : filter.insert(test_hash(i));
    if (!inserted) throw std::runtime_error(inserted.error().message);
  }
}

inline Filter make_filter(Kind kind, std::uint64_t n, const Hasher& hasher = Hasher::xxh3(), double fpr = 0.01) {
  Filter filter = unwrap(Filter::create({.kind = kind, .expected_keys = n, .fpr = fpr, .hasher = hasher}));
  fill(filter, n);
  return filter;
}

inline FileBytes encoded(const Filter& filter) { return unwrap(encode(filter)); }

template <class T>
void poke(FileBytes& bytes, std::size_t offset, T value) {
  store_le(bytes.data() + offset, value);
}

inline std::size_t header_bytes_of(const FileBytes& bytes) { return load_le<std::uint32_t>(bytes.data() + 12); }

// Makes the header's checksum right again, so that the checks behind it are reached.
inline void reseal(FileBytes& bytes) { format::seal(Bytes(bytes).first(header_bytes_of(bytes))); }

// Why these bytes do not open; nothing if they do.
inline std::optional<Error> refusal(ConstBytes bytes, const OpenOptions& options = {.without_key = true}) {
  const auto filter = decode(bytes, options);
  if (filter) return std::nullopt;
  return filter.error();
}

#define EXPECT_REFUSED(bytes, expected_code, words)                        \
  do {                                                                     \
    const auto why = ::bloomery::testing::refusal(bytes);                  \
    ASSERT_TRUE(why.has_value());                                          \
    EXPECT_EQ(why->code, expected_code) << why->message;                   \
    EXPECT_NE(why->message.find(words), std::string::npos) << why->message; \
  } while (false)

// Same bits, and the same answers for keys that are in and keys that are not.
inline void expect_same(const Filter& a, const Filter& b, std::uint64_t n) {
  EXPECT_TRUE(a == b);
  EXPECT_EQ(a.counts(), b.counts());
  EXPECT_EQ(a.planned_keys(), b.planned_keys());
  EXPECT_EQ(a.planned_fpr(), b.planned_fpr());
  for (std::uint64_t i = 0; i < n + 1000; ++i) {
    ASSERT_EQ(a.may_contain(test_key(i)), b.may_contain(test_key(i))) << i;
    ASSERT_EQ(a.may_contain(test_hash(i)), b.may_contain(test_hash(i))) << i;
  }
}

}  // namespace bloomery::testing
