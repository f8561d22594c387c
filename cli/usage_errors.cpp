#include "cli/usage_errors.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "cli/closest.hpp"
#include "cli/verbs.hpp"

namespace cli {
namespace {

std::string name_of(const CLI::Option& option) { return option.get_name(false, false); }

// Every way to write an option: -q, --quiet.
std::vector<std::string> spellings(const CLI::App& app) {
  std::vector<std::string> all;
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_lnames()) all.push_back("--" + name);
    for (const std::string& name : option->get_snames()) all.push_back("-" + name);
  }
  return all;
}

bool is_flag_like(const std::string& argument) { return argument.size() > 1 && argument.front() == '-'; }

std::string unknown_option(const CLI::App& app, const std::string& argument) {
  const std::string word = argument.substr(0, argument.find('='));
  const std::vector<std::string> all = spellings(app);
  const std::vector<std::string_view> candidates(all.begin(), all.end());
  const std::string guess = word.starts_with("--") ? did_you_mean(word, candidates) : std::string();
  return fmt::format("there is no option '{}'{}", word, guess.empty() ? ";" : guess);
}

// What nobody wanted, if anything: unknown options first.
std::string left_over(const CLI::App& app, bool options_only) {
  const std::vector<std::string> rest = app.remaining();
  const auto option = std::find_if(rest.begin(), rest.end(), is_flag_like);
  if (option != rest.end()) return unknown_option(app, *option);
  if (rest.empty() || options_only) return {};
  return fmt::format("'{}' is one argument too many;", rest.front());
}

std::string given_twice(const CLI::App& app) {
  for (const CLI::Option* option : app.get_options())
    if (option->get_items_expected_max() == 1 && option->results().size() > 1)
      return fmt::format("{}: is given {} times; give it once;", name_of(*option), option->results().size());
  return {};
}

std::string exclusion(const CLI::App& app) {
  for (const CLI::Option* option : app.get_options())
    for (const CLI::Option* other : option->get_excludes())
      if (option->count() > 0 && other->count() > 0)
        return fmt::format("{} and {} exclude each other; give one of them;", name_of(*option), name_of(*other));
  return {};
}

// "--output: 1 required FILE missing"
std::string without_value(const CLI::App& app, std::string_view message) {
  for (const CLI::Option* option : app.get_options())
    if (message.starts_with(name_of(*option) + ": ") && message.ends_with(" missing"))
      return fmt::format("{}: needs a value, {};", name_of(*option), option->get_type_name());
  return {};
}

}  // namespace

std::string usage_error(const CLI::App& app, const CLI::Error& error, std::string_view verb) {
  std::string what;
  if (dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr) {
    what = left_over(app, false);
  } else if (dynamic_cast<const CLI::RequiredError*>(&error) != nullptr) {
    what = left_over(app, true);  // an option that is misspelt explains what is missing
  } else if (dynamic_cast<const CLI::ExcludesError*>(&error) != nullptr) {
    what = exclusion(app);
  } else if (dynamic_cast<const CLI::ArgumentMismatch*>(&error) != nullptr) {
    what = given_twice(app);
    if (what.empty()) what = without_value(app, error.what());
  }
  return fmt::format("{} see bloomery {} -h", what.empty() ? std::string(error.what()) + ";" : what, verb);
}

std::string unknown_verb(std::string_view name) {
  std::vector<std::string_view> names = {"help"};
  for (const Verb* verb : verbs()) names.push_back(verb->name);
  const std::string guess = did_you_mean(name, names);
  return fmt::format("there is no verb '{}'{} bloomery -h lists them", name, guess.empty() ? ";" : guess);
}

}  // namespace cli
