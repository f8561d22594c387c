#include "cli/experiment/plot.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>
#include <sstream>

#include "cli/report.hpp"

namespace cli::experiment {
namespace {

namespace fs = std::filesystem;

// A folder that goes away with everything in it.
class ScratchFolder {
 public:
  ScratchFolder() : path_((fs::temp_directory_path() / "bloomery-plot.XXXXXX").string()) {
    if (::mkdtemp(path_.data()) == nullptr) throw system_failure(path_, errno);
  }
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  ~ScratchFolder() {
    std::error_code error;
    fs::remove_all(path_, error);
  }
  std::string file(std::string_view name) const { return path_ + '/' + std::string(name); }

 private:
  std::string path_;
};

// Texts stand between double quotes in the script, and are not to be taken for markup.
std::string escaped(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    result += c;
  }
  return result;
}

// Colours that the colour-blind tell apart (Okabe and Ito's), and a dash and a mark of its own for each series.
constexpr std::string_view kStyle = R"(set encoding utf8
set termoption noenhanced
set border 3
set tics nomirror out
set grid y lc rgb "#dddddd" lw 1
set key outside right top Left reverse
set format x "%g"
set format y "%g"
set style line 1 lc rgb "#0072B2" pt 7 ps 0.7 lw 2 dt 1
set style line 2 lc rgb "#D55E00" pt 5 ps 0.7 lw 2 dt 2
set style line 3 lc rgb "#009E73" pt 9 ps 0.8 lw 2 dt 4
set style line 4 lc rgb "#CC79A7" pt 13 ps 0.9 lw 2 dt 5
set style line 5 lc rgb "#E69F00" pt 11 ps 0.8 lw 2 dt 1
set style line 6 lc rgb "#56B4E9" pt 6 ps 0.8 lw 2 dt 2
set style line 7 lc rgb "#000000" pt 4 ps 0.8 lw 2 dt 4
set style line 8 lc rgb "#999933" pt 8 ps 0.9 lw 2 dt 5
set style line 9 lc rgb "#882255" pt 12 ps 0.9 lw 2 dt 1
set style line 10 lc rgb "#666666" pt 10 ps 0.8 lw 2 dt 2
)";

constexpr unsigned kStyles = 10;

std::string data_blocks(const Chart& chart) {
  std::string text;
  for (std::size_t i = 0; i < chart.series.size(); ++i) {
    text += fmt::format("$d{} << EOD\n", i);
    for (const Point& p : chart.series[i].points)
      text += fmt::format("{:.9g} {:.9g} {:.9g} {:.9g}\n", p.x, p.y, p.around.low, p.around.high);
    text += "EOD\n";
  }
  return text;
}

// With intervals: bars, and a line through their middle where the series is one.
std::string plot_of(const Series& series, std::size_t index) {
  const std::size_t style = index % kStyles + 1;
  const std::string title = escaped(series.name);
  if (!series.intervals)
    return fmt::format("$d{} using 1:2 with {} ls {} title \"{}\"", index, series.line ? "linespoints" : "points",
                       style, title);
  std::string text = fmt::format("$d{} using 1:2:3:4 with yerrorbars ls {} dt 1 title \"{}\"", index, style, title);
  if (series.line) text += fmt::format(", $d{} using 1:2 with lines ls {} lw 1 notitle", index, style);
  return text;
}

// A little wider than the data, so that no mark lies on the border.
std::string x_range(const Chart& chart) {
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (const Series& series : chart.series)
    for (const Point& p : series.points) low = std::min(low, p.x), high = std::max(high, p.x);
  if (low > high) return "";
  const double ratio = 1.25, margin = 0.04 * (high - low);
  return chart.log_x ? fmt::format("set xrange [{:.9g}:{:.9g}]\n", low / ratio, high * ratio)
                     : fmt::format("set xrange [{:.9g}:{:.9g}]\n", low - margin, high + margin);
}

int run_plotter(const std::string& script, const std::string& errors) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, errors.c_str(), O_WRONLY | O_CREAT, 0600);
  std::string program = "gnuplot", argument = script;
  char* arguments[] = {program.data(), argument.data(), nullptr};
  pid_t child = 0;
  const int failed = ::posix_spawnp(&child, "gnuplot", &actions, nullptr, arguments, environ);
  posix_spawn_file_actions_destroy(&actions);
  if (failed != 0) throw system_failure("gnuplot", failed);
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return status;
}

std::string contents(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

std::string draw(const Chart& chart, const std::string& terminal) {
  const ScratchFolder folder;
  const std::string script = folder.file("script"), picture = folder.file("picture"), errors = folder.file("errors");
  std::ofstream(script) << plot_script(chart, terminal, picture);
  const int status = run_plotter(script, errors);
  const std::string drawn = contents(picture);
  if (status != 0 || drawn.empty())
    throw Failure{fmt::format("gnuplot failed at the chart {}: {}", chart.name, contents(errors))};
  return drawn;
}

}  // namespace

void require_plotter() {
  const char* path = std::getenv("PATH");
  std::istringstream folders(path == nullptr ? "" : path);
  for (std::string folder; std::getline(folders, folder, ':');)
    if (::access((folder + "/gnuplot").c_str(), X_OK) == 0) return;
  throw Failure{"gnuplot, which draws the charts, is not installed; on Debian: apt-get install gnuplot-nox"};
}

std::string plot_script(const Chart& chart, const std::string& terminal, const std::string& output) {
  std::string script = fmt::format("set terminal {}\nset output \"{}\"\n", terminal, escaped(output));
  script += kStyle;
  script += fmt::format("set title \"{}\"\nset xlabel \"{}\"\nset ylabel \"{}\"\n", escaped(chart.title),
                        escaped(chart.x_label), escaped(chart.y_label));
  if (chart.log_x) script += chart.x_is_bytes ? "set logscale x 2\nset format x \"%.0b %BB\"\n" : "set logscale x\n";
  if (chart.log_y) script += "set logscale y\n";
  script += x_range(chart);
  for (const auto& [name, x] : chart.marks)
    script += fmt::format(
        "set arrow from {0:.9g}, graph 0 to {0:.9g}, graph 1 nohead dt 3 lc rgb \"#888888\"\n"
        "set label \"{1}\" at {0:.9g}, graph 0.97 offset 0.5,0 tc rgb \"#666666\"\n",
        x, escaped(name));
  script += data_blocks(chart);
  script += "plot ";
  for (std::size_t i = 0; i < chart.series.size(); ++i) script += (i == 0 ? "" : ", ") + plot_of(chart.series[i], i);
  return script + '\n';
}

std::string svg(const Chart& chart) {
  return draw(chart, "svg size 960,480 font \"sans-serif,14\" background \"#ffffff\"");
}
std::string png(const Chart& chart) {
  return draw(chart, "pngcairo size 960,480 font \"sans-serif,11\" background \"#ffffff\"");
}

}  // namespace cli::experiment
