// What the page calls: the library's public API behind plain numbers, since a page has no other types to pass.
//
// Functions that can fail return a negative number and leave a sentence in message(). Numbers come back in
// numbers() (doubles) and words() (64 bits), and stay until the next call. A filter is a handle, from 1.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "bloomery/file.hpp"

#define PAGE_EXPORT(name) extern "C" __attribute__((export_name(#name)))

namespace page {

inline constexpr int kFailed = -1;

struct Outcome {
  std::vector<double> numbers;
  std::vector<std::uint64_t> words;
  std::string message;
};
Outcome& outcome();

int fail(const bloomery::Error& error);
// Keeps the filter; returns its handle, or kFailed with its error.
int keep(bloomery::Result<bloomery::Filter> filter);
// The filter of a handle. REQUIRES: one that keep() gave and release() has not taken back.
bloomery::Filter& filter_of(int handle);

void report_shape(const bloomery::Shape& shape);  // appends six numbers

}  // namespace page
