// SIGINT and SIGTERM, for a verb that finishes what it is at before it ends.
#pragma once

namespace cli {

// From now on the two signals only wake wait_readable(); they are held back elsewhere, so that nothing is
// cut in half. After the first one both do what they usually do: who asks twice means it.
void catch_interrupts();

// The signal that came; 0: none. Its exit code is 128 more, as a shell's.
int interrupt_signal() noexcept;

// Waits until a read from fd will not block. False: a signal came first, or stop_waiting().
bool wait_readable(int fd);

// From now on nobody waits for input, whatever thread does: another one has failed.
void stop_waiting() noexcept;

}  // namespace cli
