// The example of docs/format.md is what the library writes and reads.
#include <sstream>

#include "format/testing.hpp"
#include "layout/layouts.hpp"

namespace bloomery::testing {
namespace {

std::string document() {
  std::ifstream in(std::string(BLOOMERY_SOURCE_DIR) + "/docs/format.md");
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

// Lines of an offset, a colon and bytes in hexadecimal, between ```hex and ```.
FileBytes example_bytes() {
  const std::string text = document();
  const auto first = text.find("```hex\n"), last = text.find("```", first + 7);
  std::istringstream lines(text.substr(first + 7, last - first - 7));
  FileBytes bytes;
  for (std::string line; std::getline(lines, line);) {
    EXPECT_EQ(std::stoul(line, nullptr, 16), bytes.size());
    std::istringstream words(line.substr(line.find(':') + 1));
    for (std::string word; words >> word;) bytes.push_back(static_cast<std::byte>(std::stoul(word, nullptr, 16)));
  }
  return bytes;
}

Filter example() {
  const Plan plan = {.shape = {.kind = Kind::classic, .rule = 1, .probes = 3, .cells = 130}, .keys = 10, .fpr = 1.0 / 64};
  Filter filter = unwrap(Filter::create(plan, Hasher::xxh3()));
  for (const char* key : {"apple", "banana", "cherry", "apple"}) static_cast<void>(unwrap(filter.insert(key)));
  return filter;
}

TEST(Document, TheExampleIsWhatTheLibraryWrites) { EXPECT_EQ(example_bytes(), encoded(example())); }

TEST(Document, AndWhatItReads) {
  const FileBytes bytes = example_bytes();
  ASSERT_TRUE(verify(bytes));
  const Filter filter = unwrap(decode(bytes));
  for (const char* key : {"apple", "banana", "cherry"}) EXPECT_TRUE(filter.may_contain(key));
  EXPECT_FALSE(filter.may_contain("durian"));
}

std::string hexadecimal(std::uint64_t word) {
  std::ostringstream out;
  out << std::hex << word;
  return out.str();
}

TEST(Document, TheNumbersInTheText) {
  const Hash h = Hasher::xxh3()("apple");
  std::string bits;
  Classic::every_probe({.kind = Kind::classic, .rule = 1, .probes = 3, .cells = 130}, h, [&](std::uint64_t bit) {
    bits += (bits.empty() ? "" : ", ") + std::to_string(bit);
    return true;
  });
  const std::string sentence = "is lo = " + hexadecimal(h.lo) + ", hi = " + hexadecimal(h.hi) + "; its bits are " + bits + ".";
  EXPECT_NE(document().find(sentence), std::string::npos) << sentence;
}

TEST(Document, TheTableOfMasks) {
  for (unsigned k = 1; k < 8; ++k) {
    std::string row = "| " + std::to_string(k) + " |", masks;
    for (unsigned i = 0; i < 64; i += 8) {
      const std::string mask = " " + std::to_string(Blocked::subsets(k)[i]);
      if (i > 0 && Blocked::subsets(k)[i] == Blocked::subsets(k)[0]) break;
      masks += mask;
    }
    EXPECT_NE(document().find("\n" + row + masks + " |\n"), std::string::npos) << row << masks;
  }
  for (const std::uint8_t mask : Blocked::subsets(8)) EXPECT_EQ(mask, 255);
}

}  // namespace
}  // namespace bloomery::testing
