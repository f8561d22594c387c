// What a study finds, before anybody writes it down: tables, charts and sentences.
#pragma once
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "cli/experiment/interval.hpp"

namespace cli::experiment {

using Cell = std::variant<std::string, std::uint64_t, double>;

struct Table {
  std::vector<std::string> columns = {};
  std::vector<std::vector<Cell>> rows = {};
};

struct Point {
  double x, y;
  Interval around = {};  // of y, where the series has intervals
};

struct Series {
  std::string name;
  std::vector<Point> points = {};
  bool line = true;  // else points
  bool intervals = false;
};

struct Chart {
  std::string name;  // of its file
  std::string title;
  std::string x_label = {}, y_label = {};
  std::vector<Series> series = {};
  bool log_x = true, log_y = true;
  bool x_is_bytes = false;
  std::vector<std::pair<std::string, double>> marks = {};  // what is at an x, beside the data
};

struct Study {
  std::string name;  // of its file
  std::string title;
  Table table = {};
  std::vector<Chart> charts = {};
  std::vector<std::string> findings = {};
  std::vector<std::string> outside = {};  // rates that are not where they should be: each a sentence
};

// The confidence intervals that tables and charts show miss with this chance. A rate fails its study outside of a wider
// one only: there are some hundreds of rates, which together fail a right build for about one seed in 10^6.
inline constexpr double kShownError = 0.05;
inline constexpr double kWideError = 2e-9;

struct Settings {
  std::uint64_t seed = 1;
  bool quick = false;
  double error = kWideError;                                   // chance that a right rate is taken for a wrong one
  std::function<void(double share)> progress = [](double) {};  // of this study
};

struct StudyKind {
  std::string_view name;
  std::string_view summary;
  Study (*run)(const Settings& settings);  // Errors: Failure
};

// In the order in which they run.
std::vector<StudyKind> studies();

Study article_study(const Settings& settings);
Study small_study(const Settings& settings);
Study hashes_study(const Settings& settings);
Study rates_study(const Settings& settings);
Study practice_study(const Settings& settings);
Study claim_study(const Settings& settings);
Study time_study(const Settings& settings);

}  // namespace cli::experiment
