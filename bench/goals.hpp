// What bloomery promises about its speed, and whether this run shows it.
#pragma once
#include <ostream>

#include "results.hpp"

namespace bench {

// A Markdown table: each promise, with each of these kernels. Returns how many that were measured are missed.
unsigned write_goals(const Results& results, const std::vector<std::string>& kernels, std::ostream& out);

}  // namespace bench
