#include "cli/sigbus.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstring>

#include "cli/report.hpp"

namespace cli {
namespace {

// Composed beforehand: a handler may call little more than write.
std::array<char, 4400> message;
std::size_t message_size = 0;

void add(std::string_view text) noexcept {
  const std::size_t n = std::min(text.size(), message.size() - message_size);
  std::memcpy(message.data() + message_size, text.data(), n);
  message_size += n;
}

void on_sigbus(int) {
  [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, message.data(), message_size);
  ::_exit(kExitError);
}

}  // namespace

void name_mapped_file(std::string_view path) noexcept {
  message_size = 0;
  add("bloomery ");
  add(current_verb());
  add(": ");
  add(path.substr(0, 4000));
  add(": was truncated, or could not be read, while it was in use; replace filter files by renaming\n");
  struct sigaction action = {};
  action.sa_handler = on_sigbus;
  ::sigaction(SIGBUS, &action, nullptr);
}

}  // namespace cli
