// The program `bloomery`: finds the verb, reads its options, runs it.
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <csignal>
#include <new>

#include "bloomery/export.h"
#include "bloomery/kernel.hpp"
#include "cli/report.hpp"
#include "cli/usage_errors.hpp"
#include "cli/verbs.hpp"

namespace {

using namespace cli;

// A descriptor that is closed would be given to the next file that is opened, and messages would then
// go into that file.
void occupy_standard_descriptors() {
  for (const int fd : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (::fcntl(fd, F_GETFD) == -1) ::open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY);
}

int run_verb(const Verb& verb, int argc, char** argv) {
  set_verb(verb.name);
  CLI::App app;
  add_help(app);
  const Run run = verb.add(app);
  try {
    app.parse(argc, argv);
  } catch (const HelpWanted& help) {
    print_text(STDOUT_FILENO, help.complete ? long_help(verb, app) : short_help(verb, app));
    return kExitSuccess;
  } catch (const CLI::Error& error) {
    throw Failure{usage_error(app, error, verb.name)};
  }
  return run();
}

int show_help(int argc, char** argv) {
  if (argc < 2) {
    print_text(STDOUT_FILENO, overview());
    return kExitSuccess;
  }
  const Verb* verb = find_verb(argv[1]);
  if (verb == nullptr) throw Failure{unknown_verb(argv[1])};
  CLI::App app;
  add_help(app);
  const Run run = verb->add(app);  // keeps alive what the options refer to
  print_text(STDOUT_FILENO, long_help(*verb, app));
  return kExitSuccess;
}

int dispatch(int argc, char** argv) {
  if (argc < 2) {
    print_note(overview());
    return kExitError;
  }
  if (const auto kernel = bloomery::check_kernel_environment(); !kernel) throw Failure{kernel.error().message};
  const std::string_view name = argv[1];
  if (name == "help" || name == "-h" || name == "--help") return show_help(argc - 1, argv + 1);
  if (name == "--version") {
    print_text(STDOUT_FILENO, fmt::format("bloomery " BLOOMERY_VERSION " (kernel {})", bloomery::active_kernel()));
    return kExitSuccess;
  }
  const Verb* verb = find_verb(name);
  if (verb == nullptr) throw Failure{unknown_verb(name)};
  return run_verb(*verb, argc - 1, argv + 1);
}

}  // namespace

int main(int argc, char** argv) {
  occupy_standard_descriptors();
  std::signal(SIGPIPE, SIG_DFL);  // whoever started us may have ignored it
  try {
    return dispatch(argc, argv);
  } catch (const cli::Failure& failure) {
    cli::print_error(failure.message);
  } catch (const std::bad_alloc&) {
    cli::print_error("out of memory");
  } catch (const std::exception& error) {
    cli::print_error(error.what());
  }
  return cli::kExitError;
}
