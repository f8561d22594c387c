#include "cli/interrupt.hpp"

#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdint>
#include <ctime>

namespace cli {
namespace {

constexpr int kSignals[] = {SIGINT, SIGTERM};

volatile std::sig_atomic_t caught = 0;
bool catching = false;
int stop_event = -1;  // readable from stop_waiting() on

void remember(int signal) { caught = signal; }

sigset_t both() {
  sigset_t set;
  sigemptyset(&set);
  for (const int signal : kSignals) sigaddset(&set, signal);
  return set;
}

// Takes a signal that is held back. Where input is always ready, ppoll never waits and lets none in.
void take_pending() {
  const sigset_t set = both();
  const struct timespec at_once = {};
  const int signal = ::sigtimedwait(&set, nullptr, &at_once);
  if (signal <= 0) return;
  caught = signal;
  ::signal(signal, SIG_DFL);
}

}  // namespace

void catch_interrupts() {
  struct sigaction action = {};
  action.sa_handler = remember;
  action.sa_flags = static_cast<int>(SA_RESETHAND);
  sigemptyset(&action.sa_mask);
  struct sigaction former = {};
  for (const int signal : kSignals) {
    ::sigaction(signal, nullptr, &former);
    if (former.sa_handler != SIG_IGN) ::sigaction(signal, &action, nullptr);  // nohup and & stay as they are
  }
  const sigset_t set = both();
  ::sigprocmask(SIG_BLOCK, &set, nullptr);
  stop_event = ::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  catching = true;
}

int interrupt_signal() noexcept { return caught; }

void stop_waiting() noexcept {
  const std::uint64_t one = 1;
  [[maybe_unused]] const auto written = ::write(stop_event, &one, sizeof one);  // cannot be full
}

bool wait_readable(int fd) {
  if (!catching) return true;
  if (caught == 0) take_pending();
  if (caught == 0) {
    sigset_t waiting;
    ::sigprocmask(SIG_BLOCK, nullptr, &waiting);
    for (const int signal : kSignals) sigdelset(&waiting, signal);
    struct pollfd polled[] = {{.fd = fd, .events = POLLIN, .revents = 0},
                              {.fd = stop_event, .events = POLLIN, .revents = 0}};
    while (::ppoll(polled, 2, nullptr, &waiting) < 0 && errno == EINTR && caught == 0) {
    }
    if (polled[1].revents != 0) return false;
  }
  if (caught == 0) return true;
  const sigset_t set = both();
  ::sigprocmask(SIG_UNBLOCK, &set, nullptr);
  return false;
}

}  // namespace cli
