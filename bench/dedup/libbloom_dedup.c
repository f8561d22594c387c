/* libbloom_dedup EXPECTED FPR < LINES: prints each line that libbloom has not seen. The loop that one writes first. */
#define _GNU_SOURCE
#include <bloom.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char** argv) {
  struct bloom seen;
  if (argc != 3 || bloom_init(&seen, atoi(argv[1]), atof(argv[2])) != 0) {
    fputs("usage: libbloom_dedup EXPECTED FPR < LINES (EXPECTED: 1000 or more)\n", stderr);
    return 2;
  }
  char* line = NULL;
  size_t capacity = 0;
  for (ssize_t size; (size = getline(&line, &capacity, stdin)) > 0;) {
    const int without_newline = (int)(line[size - 1] == '\n' ? size - 1 : size);
    if (bloom_add(&seen, line, without_newline) == 0) fwrite(line, 1, (size_t)size, stdout);
  }
  free(line);
  bloom_free(&seen);
  return ferror(stdin) || fflush(stdout) != 0 ? 2 : 0;
}
