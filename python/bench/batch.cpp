// The C++ side of compare.py: nanoseconds per key of a batch lookup of words.
//   python_batch FILTER WORDS ROUNDS   WORDS: a file of 64-bit words; prints one line per round
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <vector>

#include "bloomery/file.hpp"

namespace {

std::vector<std::uint64_t> read_words(const char* path) {
  std::ifstream in(path, std::ios::binary | std::ios::ate);
  std::vector<std::uint64_t> words(static_cast<std::size_t>(in.tellg()) / sizeof(std::uint64_t));
  in.seekg(0).read(reinterpret_cast<char*>(words.data()), static_cast<std::streamsize>(words.size() * sizeof(words[0])));
  return words;
}

// As the Python module does it: words are hashes, or keys of 8 bytes.
std::uint64_t ask(const bloomery::Filter& filter, std::span<const std::uint64_t> words, std::span<bool> out) {
  if (filter.hasher().id == bloomery::HashId::precomputed) return filter.may_contain(words, out);
  std::uint64_t maybes = 0;
  std::array<std::string_view, 1024> views;
  for (std::size_t at = 0; at < words.size(); at += views.size()) {
    const std::size_t count = std::min(views.size(), words.size() - at);
    for (std::size_t i = 0; i < count; ++i)
      views[i] = {reinterpret_cast<const char*>(&words[at + i]), sizeof(words[0])};
    maybes += filter.may_contain(std::span<const std::string_view>(views).first(count), out.subspan(at, count));
  }
  return maybes;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) return 2;
  const auto filter = bloomery::open(argv[1], {.load = bloomery::Load::copy});
  if (!filter) return std::fprintf(stderr, "%s\n", filter.error().message.c_str()), 2;
  const std::vector<std::uint64_t> words = read_words(argv[2]);
  for (int round = std::atoi(argv[3]); round > 0; --round) {
    const auto start = std::chrono::steady_clock::now();
    const auto out = std::make_unique_for_overwrite<bool[]>(words.size());  // new each time, as numpy's is
    const std::uint64_t maybes = ask(*filter, words, {out.get(), words.size()});
    const std::chrono::duration<double, std::nano> took = std::chrono::steady_clock::now() - start;
    std::printf("%.3f %llu\n", took.count() / static_cast<double>(words.size()),
                static_cast<unsigned long long>(maybes));
  }
}
