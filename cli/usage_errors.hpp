// What is wrong with a command line, in words that help.
#pragma once
#include <CLI/CLI.hpp>
#include <string>
#include <string_view>

namespace cli {

// What `app` has against the arguments that it just refused with `error`.
std::string usage_error(const CLI::App& app, const CLI::Error& error, std::string_view verb);

// "there is no verb 'chek'; did you mean 'check'? bloomery -h lists them"
std::string unknown_verb(std::string_view name);

}  // namespace cli
