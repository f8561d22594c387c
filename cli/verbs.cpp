#include "cli/verbs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace cli {
namespace {

constexpr std::array kVerbs = {&kDedup, &kBuild, &kInsert, &kCheck, &kInfo, &kVerify, &kPlan, &kMerge,
                                &kErase, &kFreeze, &kCompare, &kShrink, &kExperiment, &kPage};

// Without what the error message says when it matters: which options exclude each other.
class OptionFormatter : public CLI::Formatter {
 public:
  std::string make_option_opts(const CLI::Option* option) const override {
    const std::string text = CLI::Formatter::make_option_opts(option);
    return text.substr(0, text.find(" Excludes:"));
  }
};

std::string options_of(const CLI::App& app) {
  OptionFormatter formatter;
  formatter.column_width(26);
  return formatter.make_groups(&app, CLI::AppFormatMode::Normal);
}

}  // namespace

constinit const std::string_view kConventions = R"(Numbers:
  RATE   0.01, 1e-6, 1%, 1/1000
  N      1000, 10M (powers of 1000), 1e9, 2^40
  SIZE   bytes; 64K, 1.5M, 2G, 1T (powers of 1024), 10MB (powers of 1000)
  TIME   500ms, 30s, 10min, 1.5h

Exit code: 0 success, 1 no match (check), 2 error, 3 a promise broken (dedup --strict,
experiment), 130 or 143 interrupted (dedup).

Environment: BLOOMERY_KERNEL forces a set of vector instructions (bloomery --version shows the one in use),
NO_COLOR turns colours off, TMPDIR is where dedup keeps a line that is too long for its buffers.
)";

std::span<const Verb* const> verbs() { return kVerbs; }

const Verb* find_verb(std::string_view name) {
  const auto found = std::find_if(kVerbs.begin(), kVerbs.end(), [&](const Verb* verb) { return verb->name == name; });
  return found == kVerbs.end() ? nullptr : *found;
}

void add_help(CLI::App& app) {
  app.set_help_flag();
  app.add_flag_callback(
         "-h", [] { throw HelpWanted{false}; }, "Show the options")
      ->trigger_on_parse();
  app.add_flag_callback(
         "--help", [] { throw HelpWanted{true}; }, "Show everything, with examples")
      ->trigger_on_parse();
}

std::string overview() {
  std::string text =
      "Usage: bloomery VERB [OPTION]... [FILE]...\n"
      "Have I seen this line? Certainly not, or maybe: in a few bits per line.\n\n";
  for (const Verb* verb : kVerbs) text += fmt::format("  {:<11} {}\n", verb->name, verb->summary);
  return text +
         "\n"
         "  bloomery VERB -h        the options of a verb\n"
         "  bloomery help VERB      everything about it, with examples\n"
         "  bloomery --version\n";
}

std::string short_help(const Verb& verb, const CLI::App& app) {
  return fmt::format("Usage: bloomery {} {}\n{}\n{}", verb.name, verb.usage, verb.summary, options_of(app));
}

std::string long_help(const Verb& verb, const CLI::App& app) {
  return fmt::format("{}\n{}\n{}", short_help(verb, app), verb.details, kConventions);
}

}  // namespace cli
