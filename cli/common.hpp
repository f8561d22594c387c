// What several verbs share: flags, hashers, the way to and from filter files.
#pragma once
#include <CLI/CLI.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "bloomery/file.hpp"
#include "cli/fields.hpp"
#include "cli/files_from.hpp"
#include "cli/numbers.hpp"
#include "cli/progress.hpp"
#include "cli/report.hpp"

namespace cli {

struct CommonOptions {
  bool json = false;
  bool quiet = false;
};

struct HashOptions {
  std::string hash;  // empty: xxh3, or siphash with a key file
  std::string seed;
  std::string key_file;
};

struct FieldOptions {
  std::optional<std::uint64_t> number;
  std::optional<std::string> delimiter;
};

// Options whose text is a number: the value is checked where the option is read.
void add_rate(CLI::App& app, const std::string& name, std::optional<double>& to, const std::string& description);
void add_count(CLI::App& app, const std::string& name, std::optional<std::uint64_t>& to, CountRange range,
               const std::string& description);
void add_size(CLI::App& app, const std::string& name, std::optional<std::uint64_t>& to, CountRange range,
              const std::string& description);

void add_duration(CLI::App& app, const std::string& name, std::optional<double>& to, const std::string& description);

void add_common(CLI::App& app, CommonOptions& to);
void add_threads(CLI::App& app, std::optional<std::uint64_t>& to);  // -j; 1 unless given
void add_progress(CLI::App& app, bool& to);
void add_hash(CLI::App& app, HashOptions& to);
void add_field(CLI::App& app, FieldOptions& to);
void add_key_file(CLI::App& app, std::string& to);

// What --seed says: a number or "random"; `otherwise` where it says nothing. Errors: Failure
std::uint64_t seed_from(const std::string& text, std::uint64_t otherwise);

// The hasher that the flags describe. Errors: Failure (unknown, contradictory, a bad key file).
bloomery::Hasher hasher_from(const HashOptions& options);

// The field that the flags choose, in lines that end with `end`. Errors: Failure
KeyField field_from(const FieldOptions& options, char end = '\n');

// "xxh3, seed 0"
std::string describe(const bloomery::Hasher& hasher, bool key_missing = false);

// A secret of 16 bytes, or 32 hexadecimal digits with at most one newline, in a regular file that
// nobody but its owner may read or write. Errors: Failure, saying how to mend it.
bloomery::SecretKey read_key_file(const std::string& path);

// Opens the filter at `path`; an empty key_file means none. Errors: Failure
bloomery::Filter open_filter(const std::string& path, const std::string& key_file, bloomery::Load load);

// Lines are bytes, so the filter must hash bytes. Errors: Failure
void require_line_hasher(const bloomery::Filter& filter, const std::string& path);

// To `path` by way of a temporary file; "-" is standard output; devices and pipes are written to as
// they are. Errors: Failure
void store(const bloomery::Filter& filter, const std::string& path);

// Warns if more keys are in than were planned for, and says what the rate is now.
void warn_past_plan(const bloomery::Filter& filter, const std::string& path);

// Errors: Failure, if a filter would be written to a terminal.
void refuse_terminal(const std::string& output_path);

// 1 GiB, or a quarter of the machine's memory if that is less.
std::uint64_t default_memory_bytes();

// The size of the bits alone.
std::uint64_t size_bits(const bloomery::Shape& shape);

}  // namespace cli
