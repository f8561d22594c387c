// Writes the man pages and the completions of bash, zsh and fish, from what --help is made of.
//   generate_docs FOLDER DATE   man/bloomery.1, man/bloomery-VERB.1, bash/bloomery, zsh/_bloomery, fish/bloomery.fish
#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <vector>

#include "bloomery/export.h"
#include "cli/verbs.hpp"

namespace {

using namespace cli;
using Path = std::filesystem::path;

struct Option {
  std::vector<std::string> short_names, long_names;  // without dashes
  std::string value;                                 // "N"; empty: a flag
  std::string description;
};

std::string joined(const std::vector<std::string>& parts, std::string_view between) {
  return fmt::format("{}", fmt::join(parts, between));
}

std::vector<Option> options_of(const Verb& verb) {
  CLI::App app;
  add_help(app);
  const Run run = verb.add(app);  // keeps alive what the options refer to
  std::vector<Option> options;
  for (const CLI::Option* option : app.get_options()) {
    if (option->nonpositional()) {
      const bool takes_value = option->get_items_expected_max() > 0;
      options.push_back({option->get_snames(), option->get_lnames(),
                         takes_value ? option->get_type_name() : std::string(), option->get_description()});
    }
  }
  return options;
}

std::vector<std::string> dashed(const Option& option) {
  std::vector<std::string> names;
  for (const std::string& name : option.short_names) names.push_back("-" + name);
  for (const std::string& name : option.long_names) names.push_back("--" + name);
  return names;
}

void write(const Path& path, const std::string& text) {
  std::filesystem::create_directories(path.parent_path());
  std::ofstream(path, std::ios::binary) << text;
}

// ---- man ----

// Text as roff shows it: no character or line of it is a request.
std::string roff(std::string_view text) {
  std::string escaped;
  bool line_begins = true;
  for (const char c : text) {
    if (line_begins && (c == '.' || c == '\'')) escaped += "\\&";
    if (c == '\\')
      escaped += "\\e";
    else if (c == '-')
      escaped += "\\-";
    else
      escaped += c;
    line_begins = c == '\n';
  }
  return escaped;
}

// Paragraphs are filled; indented lines stay as they are.
std::string prose(std::string_view text) {
  std::string result;
  bool as_it_is = false, paragraph = false;
  std::istringstream lines{std::string(text)};
  for (std::string line; std::getline(lines, line); paragraph = line.empty()) {
    if (line.empty()) continue;
    const bool indented = line.front() == ' ';
    if (as_it_is && (!indented || paragraph)) result += ".fi\n.RE\n";
    if (paragraph && !result.empty()) result += ".PP\n";
    if (indented && (!as_it_is || paragraph)) result += ".RS\n.nf\n";
    as_it_is = indented;
    result += roff(indented ? line.substr(line.find_first_not_of(' ')) : line) + "\n";
  }
  return as_it_is ? result + ".fi\n.RE\n" : result;
}

std::string title(std::string_view page, std::string_view summary, std::string_view date) {
  std::string upper(page);
  for (char& c : upper) c = static_cast<char>(c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c);
  return fmt::format(".TH {} 1 {} \"bloomery {}\" \"User Commands\"\n.SH NAME\n{} \\- {}\n", roff(upper), date,
                     BLOOMERY_VERSION, roff(page), roff(summary));
}

std::string options_section(const Verb& verb) {
  std::string text = ".SH OPTIONS\n";
  for (const Option& option : options_of(verb)) {
    const std::string value = option.value.empty() ? "" : fmt::format(" \\fI{}\\fR", roff(option.value));
    text += fmt::format(".TP\n\\fB{}\\fR{}\n{}\n", roff(joined(dashed(option), ", ")), value,
                        roff(option.description));
  }
  return text;
}

std::string man_page(const Verb& verb, std::string_view date) {
  constexpr std::string_view kExamples = "\nExamples:\n";
  const std::size_t examples = verb.details.find(kExamples);
  std::string text = title(fmt::format("bloomery-{}", verb.name), verb.summary, date);
  text += fmt::format(".SH SYNOPSIS\n.B bloomery {}\n{}\n", verb.name, roff(verb.usage));
  text += ".SH DESCRIPTION\n" + prose(verb.details.substr(0, examples));
  text += options_section(verb);
  if (examples != std::string_view::npos)
    text += ".SH EXAMPLES\n" + prose(verb.details.substr(examples + kExamples.size()));
  text += ".SH CONVENTIONS\n" + prose(kConventions);
  return text + ".SH SEE ALSO\n.BR bloomery (1)\n";
}

std::string man_page(std::string_view date) {
  std::string text = title("bloomery", "have I seen this line? certainly not, or maybe", date);
  text += ".SH SYNOPSIS\n.B bloomery\n.I VERB\n[OPTION]... [FILE]...\n";
  text +=
      ".SH DESCRIPTION\nBloom filters on the command line:\nsets that answer \"certainly not\" or \"maybe\"\n"
      "in a few bits per key.\n";
  for (const Verb* verb : verbs())
    text += fmt::format(".TP\n.BR bloomery\\-{} (1)\n{}\n", roff(verb->name), roff(verb->summary));
  text += ".PP\n.B bloomery help\n.I VERB\nshows everything about a verb.\n";
  text += ".SH CONVENTIONS\n" + prose(kConventions);
  std::vector<std::string> pages;
  for (const Verb* verb : verbs()) pages.push_back(fmt::format(".BR bloomery\\-{} (1)", roff(verb->name)));
  return text + ".SH SEE ALSO\n" + joined(pages, " ,\n") + "\n";
}

// ---- completions ----

// In single quotes for a shell.
std::string shell_quoted(std::string_view text) {
  std::string result = "'";
  for (const char c : text) result += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return result + "'";
}

std::vector<std::string> verb_names() {
  std::vector<std::string> names;
  for (const Verb* verb : verbs()) names.emplace_back(verb->name);
  return names;
}

std::string bash_completion() {
  std::string text =
      "# bash completion for bloomery\n_bloomery() {\n  local current=${COMP_WORDS[COMP_CWORD]} words=\n";
  text += "  if [[ $COMP_CWORD -eq 1 ]]; then\n    words='" + joined(verb_names(), " ") + " help --version'\n";
  text += "  elif [[ $COMP_CWORD -eq 2 && ${COMP_WORDS[1]} == help ]]; then\n    words='" + joined(verb_names(), " ") +
          "'\n  elif [[ $current == -* ]]; then\n    case ${COMP_WORDS[1]} in\n";
  for (const Verb* verb : verbs()) {
    std::vector<std::string> flags;
    for (const Option& option : options_of(*verb)) std::ranges::copy(dashed(option), std::back_inserter(flags));
    text += fmt::format("      {}) words='{}' ;;\n", verb->name, joined(flags, " "));
  }
  return text +
         "    esac\n  else\n    mapfile -t COMPREPLY < <(compgen -f -- \"$current\")\n    return\n  fi\n"
         "  mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$current\")\n}\n"
         "complete -o filenames -F _bloomery bloomery\n";
}

// Within [..] of _arguments: brackets, colons and backslashes mean something there.
std::string zsh_description(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    if (c == '[' || c == ']' || c == ':' || c == '\\') escaped += '\\';
    escaped += c;
  }
  return escaped;
}

std::string zsh_options(const Verb& verb) {
  std::string text = fmt::format("  {}) _arguments -s", verb.name);
  for (const Option& option : options_of(verb)) {
    std::string value;
    if (!option.value.empty())
      value = fmt::format(":{}:{}", zsh_description(option.value), option.value == "FILE" ? "_files" : " ");
    for (const std::string& name : dashed(option))
      text += " \\\n    " + shell_quoted(fmt::format("{}[{}]{}", name, zsh_description(option.description), value));
  }
  return text + " \\\n    '*:file:_files' ;;\n";
}

std::string zsh_completion() {
  std::string text = "#compdef bloomery\nlocal -a verbs=(\n";
  for (const Verb* verb : verbs())
    text += fmt::format("  {}\n", shell_quoted(fmt::format("{}:{}", verb->name, zsh_description(verb->summary))));
  text +=
      "  'help:Show everything about a verb'\n)\nif (( CURRENT == 2 )); then\n  _describe verb verbs\n  return\nfi\n"
      "local verb=$words[2]\nshift words\n(( CURRENT-- ))\ncase $verb in\n  help) _describe verb verbs ;;\n";
  for (const Verb* verb : verbs()) text += zsh_options(*verb);
  return text + "esac\n";
}

std::string fish_options(const Verb& verb) {
  std::string text;
  for (const Option& option : options_of(verb)) {
    text += fmt::format("complete -c bloomery -n '__fish_seen_subcommand_from {}'", verb.name);
    for (const std::string& name : option.short_names) text += " -s " + name;
    for (const std::string& name : option.long_names) text += " -l " + name;
    if (!option.value.empty()) text += option.value == "FILE" ? " -r" : " -x";
    text += fmt::format(" -d {}\n", shell_quoted(option.description));
  }
  return text;
}

std::string fish_completion() {
  std::string text = "# fish completion for bloomery\n";
  for (const Verb* verb : verbs())
    text += fmt::format("complete -c bloomery -n __fish_use_subcommand -f -a {} -d {}\n", verb->name,
                        shell_quoted(verb->summary));
  text += fmt::format(
      "complete -c bloomery -n __fish_use_subcommand -f -a help -d 'Show everything about a verb'\n"
      "complete -c bloomery -n '__fish_seen_subcommand_from help' -f -a '{}'\n",
      joined(verb_names(), " "));
  for (const Verb* verb : verbs()) text += fish_options(*verb);
  return text;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    fmt::print(stderr, "usage: generate_docs FOLDER DATE\n");
    return 2;
  }
  const Path folder = argv[1];
  const std::string_view date = argv[2];
  write(folder / "man/bloomery.1", man_page(date));
  for (const Verb* verb : verbs())
    write(folder / fmt::format("man/bloomery-{}.1", verb->name), man_page(*verb, date));
  write(folder / "bash/bloomery", bash_completion());
  write(folder / "zsh/_bloomery", zsh_completion());
  write(folder / "fish/bloomery.fish", fish_completion());
}
