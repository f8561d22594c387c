// The options of dedup, and the run with a set that a redis-server holds.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cli/common.hpp"
#include "cli/dedup.hpp"
#include "cli/window.hpp"

namespace cli {

struct DedupOptions {
  CommonOptions common;
  HashOptions hash;
  bool progress = false;
  bool strict = false;
  bool null = false;
  DedupRules rules;
  FieldOptions field;
  std::string output;
  std::string state;
  std::optional<double> checkpoint_seconds;
  std::vector<std::string> seen;
  std::optional<std::uint64_t> memory;
  std::optional<std::uint64_t> expected;
  std::optional<double> fpr;
  std::optional<std::uint64_t> threads;
  WindowOptions window;
  std::string redis;
  std::string name;
  std::optional<std::uint64_t> shards;
  std::vector<std::string> inputs;
};

// Errors: Failure
DedupRules rules_of(const DedupOptions& options);

// One for reading and one for answering, where there are two processors.
unsigned thread_count(const DedupOptions& options);

void add_shared_options(CLI::App& app, DedupOptions& to);

// With --redis. Returns the exit code. Errors: Failure, when the lines that were answered are out
int run_shared(const DedupOptions& options);

}  // namespace cli
