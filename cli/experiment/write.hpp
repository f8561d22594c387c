// Studies, written down.
#pragma once
#include <string>
#include <vector>

#include "cli/experiment/machine.hpp"
#include "cli/experiment/study.hpp"

namespace cli::experiment {

std::string cell_text(const Cell& cell);  // six digits of what is not whole

// RFC 4180, but for the line ends.
std::string csv(const Table& table);

// One file of HTML that needs nothing else. `pictures` are the charts of all studies, one after the other, as SVG.
std::string html_report(const std::vector<Study>& studies, const std::vector<std::string>& pictures,
                        const Settings& settings, const Machine& machine);

}  // namespace cli::experiment
