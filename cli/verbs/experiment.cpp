// experiment: measured rates and times, against what was predicted.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>

#include "cli/closest.hpp"
#include "cli/common.hpp"
#include "cli/experiment/plot.hpp"
#include "cli/experiment/write.hpp"
#include "cli/output_file.hpp"
#include "cli/terminal.hpp"
#include "cli/verbs.hpp"

namespace cli {
namespace {

namespace ex = experiment;
namespace fs = std::filesystem;

constexpr std::string_view kDetails =
    R"(Fills filters with random items of ten letters and digits, asks for others, and compares the share of wrong
answers with the predicted one. The default is the article's study: five sizes, two rates, ten runs each, as CSV.

Studies: article (the article's scenarios, run by run), small (its finding about few items), hashes (its finding
about 4 and 7 hashes), rates (measured against predicted rates of every kind, over keys, rate and hashes), practice
(always 3 or 4 hashes, against the best number), claim (a rate that was better than theory), time (time against size
and hashes), all. Several are separated by commas; then -o names a folder, for a CSV file of each.

Intervals are Clopper and Pearson's, at 95%. The same --seed gives the same figures, but for times. A rate that is
outside of a much wider interval (--error; for all rates together a chance of one in a million) is reported, and the
exit code is 3.
--quick takes seconds; without it all studies take some minutes and 2 GiB, and times want a machine that does nothing
else. Charts (--report, --png) are drawn by gnuplot.

Examples:
  bloomery experiment -o article.csv
  bloomery experiment --study rates,claim -o results/
  bloomery experiment --study all --report report.html
)";

struct Options {
  CommonOptions common;
  std::vector<std::string> studies;
  std::string seed, output, report, pictures;
  std::optional<double> error;
  bool quick = false, progress = false;
};

// "rates: 42%", as other verbs show how far they are.
class StudyProgress {
 public:
  explicit StudyProgress(const Options& options)
      : on_terminal_(::isatty(STDERR_FILENO) == 1),
        wanted_(!options.common.quiet && (options.progress || on_terminal_)) {}
  ~StudyProgress() { clear_transient(); }

  void show(std::string_view study, double share) {
    const auto now = std::chrono::steady_clock::now();
    if (!wanted_ || now < next_) return;
    next_ = now + std::chrono::milliseconds(on_terminal_ ? 250 : 1000);
    const std::string text = fmt::format("{}: {:.0f}%", study, 100 * share);
    if (on_terminal_)
      show_transient(styled(Style::faint, text, STDERR_FILENO));
    else
      print_note(text);
  }

 private:
  bool on_terminal_, wanted_;
  std::chrono::steady_clock::time_point next_ = {};
};

std::vector<ex::StudyKind> chosen(const Options& options) {
  const std::vector<ex::StudyKind> all = ex::studies();
  if (options.studies.empty()) return {all.front()};
  std::vector<std::string_view> names = {"all"};
  for (const ex::StudyKind& kind : all) names.push_back(kind.name);
  for (const std::string& name : options.studies)
    if (std::find(names.begin(), names.end(), name) == names.end()) throw Failure{unknown_name("--study", name, names)};
  const auto asked = [&](std::string_view name) {
    return std::find(options.studies.begin(), options.studies.end(), name) != options.studies.end();
  };
  std::vector<ex::StudyKind> result;
  for (const ex::StudyKind& kind : all)
    if (asked("all") || asked(kind.name)) result.push_back(kind);
  return result;
}

void write_file(const std::string& path, std::string_view text) {
  OutputFile file(path);
  file.out().bytes(text);
  file.publish();
}

void make_folder(const std::string& path, std::string_view argument) {
  std::error_code error;
  fs::create_directories(path, error);
  if (!fs::is_directory(path))
    throw Failure{fmt::format("{}: '{}' is not a folder, and cannot be made one", argument, path)};
}

// Throws what writing there would. Errors: Failure
void try_output(const std::string& path) {
  if (fs::is_directory(path)) throw Failure{path + ": is a folder; a file is wanted"};
  const OutputFile never_published(path);
}

// Before anything is measured: what would fail at the end fails now.
void prepare(const Options& options, std::size_t studies) {
  const bool elsewhere = options.common.json || !options.report.empty() || !options.pictures.empty();
  if (studies > 1 && options.output.empty() && !elsewhere)
    throw Failure{"--output: several studies need a folder for their files; give one, or --json or --report"};
  if (!options.report.empty() || !options.pictures.empty()) ex::require_plotter();
  if (!options.report.empty()) try_output(options.report);
  if (studies == 1 && !options.output.empty()) try_output(options.output);
  if (studies > 1 && !options.output.empty()) make_folder(options.output, "--output");
  if (!options.pictures.empty()) make_folder(options.pictures, "--png");
}

Json json_cell(const ex::Cell& cell) {
  return std::visit([](const auto& value) { return Json(value); }, cell);
}

Json json_study(const ex::Study& study) {
  Json rows = Json::array();
  for (const auto& row : study.table.rows) {
    Json object = Json::object();
    for (std::size_t i = 0; i < row.size(); ++i) object[study.table.columns[i]] = json_cell(row[i]);
    rows.push_back(object);
  }
  return {{"name", study.name},
          {"title", study.title},
          {"rows", rows},
          {"findings", study.findings},
          {"outside", study.outside}};
}

Json json_machine(const ex::Machine& machine) {
  Json caches = Json::object();
  for (const auto& [name, bytes] : machine.caches) caches[name] = bytes;
  return {{"cpu", machine.cpu},      {"processors", machine.processors}, {"memory_bytes", machine.memory_bytes},
          {"cache_bytes", caches},   {"kernel", machine.kernel},         {"compiler", machine.compiler},
          {"system", machine.system}};
}

Json json_results(const std::vector<ex::Study>& studies, const ex::Settings& settings) {
  Json json = {{"seed", settings.seed}, {"quick", settings.quick}, {"machine", json_machine(ex::this_machine())}};
  json["studies"] = Json::array();
  for (const ex::Study& study : studies) json["studies"].push_back(json_study(study));
  return json;
}

void write_tables(const Options& options, const std::vector<ex::Study>& studies) {
  const bool elsewhere = options.common.json || !options.report.empty() || !options.pictures.empty();
  if (options.output.empty() && elsewhere) return;
  if (studies.size() == 1) return write_file(options.output, ex::csv(studies.front().table));
  for (const ex::Study& study : studies)
    write_file((fs::path(options.output) / (study.name + ".csv")).string(), ex::csv(study.table));
}

void write_charts(const Options& options, const std::vector<ex::Study>& studies, const ex::Settings& settings) {
  std::vector<std::string> pictures;
  for (const ex::Study& study : studies)
    for (const ex::Chart& chart : study.charts) {
      if (!options.report.empty()) pictures.push_back(ex::svg(chart));
      if (!options.pictures.empty())
        write_file((fs::path(options.pictures) / (chart.name + ".png")).string(), ex::png(chart));
    }
  if (!options.report.empty())
    write_file(options.report, ex::html_report(studies, pictures, settings, ex::this_machine()));
}

int report_outside(const std::vector<ex::Study>& studies) {
  int code = kExitSuccess;
  for (const ex::Study& study : studies)
    for (const std::string& text : study.outside) {
      print_error(fmt::format("{}: a rate is outside of its interval: {}", study.name, text));
      code = kExitBrokenPromise;
    }
  return code;
}

int run(const Options& options) {
  const std::vector<ex::StudyKind> kinds = chosen(options);
  prepare(options, kinds.size());
  ex::Settings settings{.seed = seed_from(options.seed, 1),
                        .quick = options.quick,
                        .error = options.error.value_or(ex::kWideError)};
  std::vector<ex::Study> studies;
  {
    StudyProgress progress(options);
    for (const ex::StudyKind& kind : kinds) {
      settings.progress = [&](double share) { progress.show(kind.name, share); };
      studies.push_back(kind.run(settings));
    }
  }
  write_tables(options, studies);
  write_charts(options, studies, settings);
  if (options.common.json)
    print_json(STDOUT_FILENO, json_results(studies, settings));
  else if (!options.common.quiet)
    for (const ex::Study& study : studies)
      for (const std::string& finding : study.findings) print_note(fmt::format("{}: {}", study.name, finding));
  return report_outside(studies);
}

Run add(CLI::App& app) {
  const auto options = std::make_shared<Options>();
  app.add_option("--study", options->studies,
                 "Which (default article): article, small, hashes, rates, practice, claim, time, all")
      ->delimiter(',')
      ->type_name("NAME");
  app.add_option("--seed", options->seed, "Of the random items, or random (default 1)")->type_name("N|random");
  add_rate(app, "--error", options->error, "Chance that one right rate is taken for a wrong one (default 2e-9)");
  app.add_flag("--quick", options->quick, "Fewer keys and sizes: seconds instead of minutes");
  app.add_option("-o,--output", options->output, "CSV file (default: standard output); a folder for several studies")
      ->type_name("FILE");
  app.add_option("--report", options->report, "Charts, tables and the machine, in one file of HTML")->type_name("FILE");
  app.add_option("--png", options->pictures, "Charts as PNG files in a folder")->type_name("FOLDER");
  add_common(app, options->common);
  add_progress(app, options->progress);
  return [options] { return run(*options); };
}

}  // namespace

constinit const Verb kExperiment = {"experiment", "[OPTION]...", "Measure rates and times against the predicted ones",
                                    kDetails, add};

}  // namespace cli
