/* run_measured COMMAND ARGUMENT...: runs the command and writes to descriptor 3, as one line:
   exit status, wall seconds, processor seconds (user and system), peak resident KiB.
   A small program of its own, because a peak includes the memory of whoever did the exec. */
#define _GNU_SOURCE
#include <stdio.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double seconds_of(struct timeval t) { return (double)t.tv_sec + (double)t.tv_usec * 1e-6; }

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

int main(int argc, char** argv) {
  if (argc < 2) return 2;
  const double start = now();
  const pid_t child = fork();
  if (child < 0) return 2;
  if (child == 0) {
    close(3);
    execvp(argv[1], argv + 1);
    _exit(127);
  }
  int status = 0;
  struct rusage usage;
  if (wait4(child, &status, 0, &usage) != child) return 2;
  const double wall = now() - start;
  dprintf(3, "%d %.6f %.6f %ld\n", WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), wall,
          seconds_of(usage.ru_utime) + seconds_of(usage.ru_stime), usage.ru_maxrss);
  return 0;
}
