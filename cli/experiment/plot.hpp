// Charts, drawn by gnuplot.
#pragma once
#include <string>

#include "cli/experiment/study.hpp"

namespace cli::experiment {

// Errors: Failure, if gnuplot is not there; it says what to install.
void require_plotter();

// Errors: Failure
std::string svg(const Chart& chart);
std::string png(const Chart& chart);

// What gnuplot is told to write the chart to `output`, a path without quotes. `terminal`: "svg ..." or "pngcairo ...".
std::string plot_script(const Chart& chart, const std::string& terminal, const std::string& output);

}  // namespace cli::experiment
