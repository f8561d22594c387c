// THE list of verbs. A new verb is one file in cli/verbs/ and one line in verbs.cpp: help follows.
#pragma once
#include <CLI/CLI.hpp>
#include <functional>
#include <span>
#include <string_view>

namespace cli {

// What a verb does once its options are read; returns the exit code. Errors: Failure
using Run = std::function<int()>;

struct Verb {
  std::string_view name;
  std::string_view usage;     // after "bloomery NAME"
  std::string_view summary;   // one line
  std::string_view details;   // what the complete help adds: behaviour, then examples
  Run (*add)(CLI::App& app);  // adds the options; returns what to run
};

std::span<const Verb* const> verbs();
const Verb* find_verb(std::string_view name);  // null: there is none

// The flags -h and --help, which every verb has: they throw.
struct HelpWanted {
  bool complete;
};
void add_help(CLI::App& app);

extern const std::string_view kConventions;  // how numbers are written, and what exit codes mean

std::string overview();  // of all verbs
std::string short_help(const Verb& verb, const CLI::App& app);
std::string long_help(const Verb& verb, const CLI::App& app);

extern const Verb kBuild, kInsert, kCheck, kInfo, kVerify, kDedup, kPlan, kMerge, kErase, kFreeze, kCompare, kShrink,
    kExperiment, kPage;

}  // namespace cli
