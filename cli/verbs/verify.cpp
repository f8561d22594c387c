// verify: is a filter file whole?
#include <unistd.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "cli/common.hpp"
#include "cli/sigbus.hpp"
#include "cli/terminal.hpp"
#include "cli/verbs.hpp"

namespace cli {
namespace {

constexpr std::string_view kDetails =
    R"(Reads the whole file and compares every checksum. Opening a filter checks its header only, so a damaged
payload gives wrong answers until it is found here. Needs no secret key. All files are looked at;
exit code 2 if one of them is damaged.

Examples:
  bloomery verify seen.blm
  bloomery verify -q backups/*.blm && echo "all good"
)";

struct Options {
  CommonOptions common;
  std::vector<std::string> files;
};

// Says what it found; is the file whole?
bool verify_file(const Options& options, const std::string& path) {
  name_mapped_file(path);
  const auto result = bloomery::verify(path);
  if (!result) print_error(result.error().message);
  if (options.common.json) {
    print_json(STDOUT_FILENO, {{"file", path},
                               {"ok", static_cast<bool>(result)},
                               {"problem", result ? Json(nullptr) : Json(result.error().message)}});
  } else if (result && !options.common.quiet) {
    print_text(STDOUT_FILENO, path + ": " + styled(Style::good, "OK", STDOUT_FILENO));
  }
  return static_cast<bool>(result);
}

int run(const Options& options) {
  bool whole = true;
  for (const std::string& path : options.files) whole = verify_file(options, path) && whole;
  return whole ? kExitSuccess : kExitError;
}

Run add(CLI::App& app) {
  const auto options = std::make_shared<Options>();
  add_common(app, options->common);
  app.add_option("FILE", options->files, "Filters")->required()->type_name("");
  return [options] { return run(*options); };
}

}  // namespace

constinit const Verb kVerify = {"verify", "[OPTION]... FILE...", "Check filter files for damage", kDetails, add};

}  // namespace cli
