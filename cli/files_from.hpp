// Which files a verb reads its lines from.
#pragma once
#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace cli {

// INPUT..., --files-from, --files0-from and --no-decompress. `to` holds all names, those of lists last.
void add_inputs(CLI::App& app, std::vector<std::string>& to);

// The names in a list of names, each ended by `end` (the last one's may be missing). "-": standard input.
// Errors: Failure: no list there, an empty name or none at all.
std::vector<std::string> names_in(const std::string& list, char end);

}  // namespace cli
