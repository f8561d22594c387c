#include "cli/files_from.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cli/decompress.hpp"
#include "cli/input.hpp"
#include "cli/report.hpp"

namespace cli {
namespace {

void append_names(const std::string& list, char end, std::vector<std::string>& to) {
  for (std::string& name : names_in(list, end)) to.push_back(std::move(name));
  if (list == "-" && std::count(to.begin(), to.end(), "-") > 0)
    throw Failure{"--files-from -: standard input cannot be the list of files and one of them"};
}

}  // namespace

std::vector<std::string> names_in(const std::string& list, char end) {
  const std::string shown = list == "-" ? "standard input" : list;
  std::vector<std::string> names;
  LineReader reader({list}, end);
  for (auto lines = reader.next(); !lines.empty(); lines = reader.next()) {
    for (const std::string_view name : lines) {
      if (name.empty()) throw Failure{fmt::format("{}: its name {} is empty", shown, names.size() + 1)};
      if (name.find('\0') != std::string_view::npos)
        throw Failure{fmt::format("{}: its names end with NUL bytes; give it to --files0-from", shown)};
      names.emplace_back(name);
    }
  }
  if (names.empty()) throw Failure{shown + ": names no files"};
  return names;
}

void add_inputs(CLI::App& app, std::vector<std::string>& to) {
  app.add_option("INPUT", to, "Files of lines, also gzip or zstd; - or none: standard input")->type_name("");
  // After INPUT, so that the names come to what it has set.
  CLI::Option* lines = app.add_option_function<std::string>(
      "--files-from", [&to](const std::string& list) { append_names(list, '\n', to); },
      "Read also the files that FILE names, one in each line; -: standard input");
  CLI::Option* nuls = app.add_option_function<std::string>(
      "--files0-from", [&to](const std::string& list) { append_names(list, '\0', to); },
      "The same, each name ended by a NUL byte, as find -print0 does");
  lines->type_name("FILE");
  nuls->type_name("FILE")->excludes(lines);
  app.add_flag_callback("--no-decompress", take_input_as_it_is, "Take gzip and zstd files as they are");
}

}  // namespace cli
