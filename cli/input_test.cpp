#include "cli/input.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "cli/report.hpp"

namespace cli {
namespace {

using Lines = std::vector<std::string>;

class LineReaderTest : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string name = (std::filesystem::temp_directory_path() / "input_test.XXXXXX").string();
    ASSERT_NE(::mkdtemp(name.data()), nullptr);
    folder_ = name;
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string file(const std::string& name, std::string_view content) {
    const std::string path = (folder_ / name).string();
    std::ofstream(path, std::ios::binary) << content;
    return path;
  }

  static Lines read_all(LineReader& reader) {
    Lines all;
    for (auto batch = reader.next(); !batch.empty(); batch = reader.next()) {
      EXPECT_LE(batch.size(), LineReader::kMaxBatch);
      all.insert(all.end(), batch.begin(), batch.end());
    }
    return all;
  }

  Lines lines_of(std::string_view content, char delimiter = '\n') {
    LineReader reader({file("one", content)}, delimiter);
    return read_all(reader);
  }

  std::filesystem::path folder_;
};

TEST_F(LineReaderTest, CutsAtTheDelimiterOnly) {
  using namespace std::string_view_literals;
  EXPECT_EQ(lines_of("a\nb\n"), (Lines{"a", "b"}));
  EXPECT_EQ(lines_of("a\n\n\nb\n"), (Lines{"a", "", "", "b"}));
  EXPECT_EQ(lines_of("a\r\nb\r\n"), (Lines{"a\r", "b\r"}));
  EXPECT_EQ(lines_of("a\0b\n\xff\xfe\n"sv), (Lines{std::string("a\0b", 3), "\xff\xfe"}));
  EXPECT_EQ(lines_of("a\nb\0c\n\0"sv, '\0'), (Lines{"a\nb", "c\n"}));
}

TEST_F(LineReaderTest, TheLastLineNeedsNoDelimiter) {
  EXPECT_EQ(lines_of(""), Lines{});
  EXPECT_EQ(lines_of("\n"), Lines{""});
  EXPECT_EQ(lines_of("a"), Lines{"a"});
  EXPECT_EQ(lines_of("a\nb"), (Lines{"a", "b"}));
}

TEST_F(LineReaderTest, FilesDoNotRunIntoEachOther) {
  LineReader reader({file("a", "1\n2"), file("b", ""), file("c", "3"), file("d", "4\n")});
  EXPECT_EQ(read_all(reader), (Lines{"1", "2", "3", "4"}));
}

TEST_F(LineReaderTest, LinesOfEveryLengthCrossBlocks) {
  Lines expected;
  std::string content;
  for (const std::size_t length :
       {1UL, 100UL, (1UL << 20) - 1, 1UL << 20, (1UL << 20) + 1, 0UL, 3UL << 20, 5UL, 9UL << 20, 7UL}) {
    expected.emplace_back(length, static_cast<char>('a' + expected.size()));
    content += expected.back() + "\n";
  }
  EXPECT_TRUE(lines_of(content) == expected);
  content.pop_back();
  EXPECT_TRUE(lines_of(content) == expected);
}

TEST_F(LineReaderTest, ManyShortLinesComeInBatches) {
  std::string content;
  Lines expected;
  for (unsigned i = 0; i < 400'000; ++i) {
    expected.push_back(std::to_string(i * i % 9973u));
    content += expected.back() + "\n";
  }
  EXPECT_TRUE(lines_of(content) == expected);
  EXPECT_EQ(count_lines({file("again", content), file("tail", "x\ny")}), 400'002U);
}

TEST_F(LineReaderTest, SaysWhenItWillRead) {
  std::string content(2 * LineReader::kMaxBatch, '\n');
  LineReader reader({file("one", content + "end")});
  EXPECT_EQ(reader.next().size(), LineReader::kMaxBatch);
  EXPECT_TRUE(reader.has_buffered_line());
  EXPECT_EQ(reader.next().size(), LineReader::kMaxBatch);
  EXPECT_FALSE(reader.has_buffered_line());
  EXPECT_EQ(reader.next().size(), 1U);
  EXPECT_TRUE(reader.next().empty());
  EXPECT_TRUE(reader.next().empty());
}

TEST_F(LineReaderTest, RefusesAtOnceWhatCannotBeRead) {
  const std::string good = file("good", "x\n"), missing = (folder_ / "missing").string();
  EXPECT_THROW(LineReader({good, missing}), Failure);
  EXPECT_THROW(LineReader({good, folder_.string()}), Failure);
}

TEST_F(LineReaderTest, KnowsTheSameFileByAnotherName) {
  const std::string path = file("a", "x\n"), other = file("b", "x\n");
  const std::string link = (folder_ / "link").string();
  std::filesystem::create_symlink(path, link);
  EXPECT_TRUE(is_among(path, {other, link}));
  EXPECT_FALSE(is_among(path, {other}));
  EXPECT_FALSE(is_among((folder_ / "missing").string(), {other}));
}

}  // namespace
}  // namespace cli
