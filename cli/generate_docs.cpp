// Writes the man pages and the completions of bash, zsh and fish, from what --help is made of.
//   generate_docs FOLDER   man/bloomery.1, man/bloomery-VERB.1, bash/bloomery, zsh/_bloomery, fish/bloomery.fish
#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <iterator>
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
  app.set_help_flag();
  app.add_flag("-h")->description("Show the options");
  app.add_flag("--help")->description("Show everything, with examples");
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

std::string as_it_is(std::string_view text) { return fmt::format(".nf\n{}\n.fi\n", roff(text)); }

std::string title(std::string_view page, std::string_view summary) {
  return fmt::format(".TH {} 1 \"\" \"bloomery {}\" \"User Commands\"\n.SH NAME\n{} \\- {}\n", page, BLOOMERY_VERSION,
                     roff(page), roff(summary));
}

std::string man_page(const Verb& verb) {
  constexpr std::string_view kExamples = "\nExamples:\n";
  const std::size_t examples = verb.details.find(kExamples);
  std::string text = title(fmt::format("bloomery-{}", verb.name), verb.summary);
  text += fmt::format(".SH SYNOPSIS\n.B bloomery {}\n{}\n", verb.name, roff(verb.usage));
  text += ".SH DESCRIPTION\n" + as_it_is(verb.details.substr(0, examples));
  text += ".SH OPTIONS\n";
  for (const Option& option : options_of(verb)) {
    text += fmt::format(".TP\n.B {}{}{}\n{}\n", roff(joined(dashed(option), ", ")), option.value.empty() ? "" : " ",
                        roff(option.value), roff(option.description));
  }
  if (examples != std::string_view::npos)
    text += ".SH EXAMPLES\n" + as_it_is(verb.details.substr(examples + kExamples.size()));
  text += ".SH CONVENTIONS\n" + as_it_is(kConventions);
  return text + ".SH SEE ALSO\n.BR bloomery (1)\n";
}

std::string man_page() {
  std::string text = title("bloomery", "have I seen this line? certainly not, or maybe");
  text += ".SH SYNOPSIS\n.B bloomery\n.I VERB\n[OPTION]... [FILE]...\n";
  text +=
      ".SH DESCRIPTION\nBloom filters on the command line: sets that answer \"certainly not\" or \"maybe\" in a few "
      "bits per key.\n";
  for (const Verb* verb : verbs())
    text += fmt::format(".TP\n.BR bloomery\\-{} (1)\n{}\n", roff(verb->name), roff(verb->summary));
  text += ".PP\n.B bloomery help VERB\nshows everything about a verb.\n";
  text += ".SH CONVENTIONS\n" + as_it_is(kConventions);
  std::vector<std::string> pages;
  for (const Verb* verb : verbs()) pages.push_back(fmt::format(".BR bloomery\\-{} (1)", roff(verb->name)));
  return text + ".SH SEE ALSO\n" + joined(pages, ",\n") + "\n";
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

std::string zsh_completion() {
  std::string text = "#compdef bloomery\nlocal -a verbs=(\n";
  for (const Verb* verb : verbs())
    text += fmt::format("  {}\n", shell_quoted(fmt::format("{}:{}", verb->name, zsh_description(verb->summary))));
  text +=
      "  'help:Show everything about a verb'\n)\nif (( CURRENT == 2 )); then\n  _describe verb verbs\n  return\nfi\n";
  text += "local verb=$words[2]\nshift words\n(( CURRENT-- ))\ncase $verb in\n  help) _describe verb verbs ;;\n";
  for (const Verb* verb : verbs()) {
    text += fmt::format("  {}) _arguments -s", verb->name);
    for (const Option& option : options_of(*verb)) {
      const std::string value =
          option.value.empty() ? "" : ":" + zsh_description(option.value) + (option.value == "FILE" ? ":_files" : ": ");
      for (const std::string& name : dashed(option))
        text += " \\\n    " + shell_quoted(fmt::format("{}[{}]{}", name, zsh_description(option.description), value));
    }
    text += " \\\n    '*:file:_files' ;;\n";
  }
  return text + "esac\n";
}

std::string fish_completion() {
  std::string text = "# fish completion for bloomery\n";
  for (const Verb* verb : verbs())
    text += fmt::format("complete -c bloomery -n __fish_use_subcommand -f -a {} -d {}\n", verb->name,
                        shell_quoted(verb->summary));
  text += "complete -c bloomery -n __fish_use_subcommand -f -a help -d 'Show everything about a verb'\n";
  text +=
      fmt::format("complete -c bloomery -n '__fish_seen_subcommand_from help' -f -a '{}'\n", joined(verb_names(), " "));
  for (const Verb* verb : verbs()) {
    for (const Option& option : options_of(*verb)) {
      text += fmt::format("complete -c bloomery -n '__fish_seen_subcommand_from {}'", verb->name);
      for (const std::string& name : option.short_names) text += " -s " + name;
      for (const std::string& name : option.long_names) text += " -l " + name;
      text += fmt::format("{} -d {}\n",
                          option.value.empty()     ? ""
                          : option.value == "FILE" ? " -r"
                                                   : " -x",
                          shell_quoted(option.description));
    }
  }
  return text;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    fmt::print(stderr, "usage: generate_docs FOLDER\n");
    return 2;
  }
  const Path folder = argv[1];
  write(folder / "man/bloomery.1", man_page());
  for (const Verb* verb : verbs()) write(folder / fmt::format("man/bloomery-{}.1", verb->name), man_page(*verb));
  write(folder / "bash/bloomery", bash_completion());
  write(folder / "zsh/_bloomery", zsh_completion());
  write(folder / "fish/bloomery.fish", fish_completion());
}
