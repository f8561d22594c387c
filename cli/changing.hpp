// What the verbs that change a filter's file share: locked, loaded, changed, and replaced in one step.
#pragma once
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/common.hpp"

namespace cli {

struct ChangeOptions {
  CommonOptions common;
  bool progress = false;
  FieldOptions field;
  std::string key_file;
  std::string filter;
  std::vector<std::string> inputs;
};

struct ChangeSummary {
  std::uint64_t lines = 0;
  std::uint64_t changed = 0;
};

struct Change {
  // Errors: Failure, if a filter of this kind cannot take it. Asked before the file is locked, when the filter is
  // mapped, and again of what was then loaded: it may have been replaced meanwhile.
  void (*require)(const bloomery::Filter& filter, const std::string& path);
  // How many of these keys changed the filter.
  bloomery::Result<std::uint64_t> (*apply)(bloomery::Filter& filter, std::span<const bloomery::Hash> keys);
  // What is printed in the end.
  void (*report)(const ChangeOptions& options, const bloomery::Filter& filter, const ChangeSummary& summary);
};

void add_change(CLI::App& app, ChangeOptions& to);

// Whoever reads the file meanwhile sees the old filter or the new one; on any error the old one stays. Errors: Failure
int run_change(const ChangeOptions& options, const Change& change);

}  // namespace cli
