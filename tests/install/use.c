/* A foreign C program: makes a filter, saves it, opens it again, asks. */
#include <bloomery.h>
#include <stdio.h>

static int fail(const bloomery_error* error) {
  fprintf(stderr, "%s\n", error->message);
  return 1;
}

int main(int argc, char** argv) {
  bloomery_spec spec = BLOOMERY_SPEC_INIT;
  bloomery_filter *filter, *opened;
  bloomery_error error;
  const char* path = argc > 1 ? argv[1] : "use_c.blm";
  int found;
  spec.expected_keys = 1000;
  if (bloomery_create(&spec, &filter, &error)) return fail(&error);
  if (bloomery_insert(filter, "example.com", 11, NULL, &error)) return fail(&error);
  if (bloomery_save(filter, path, &error)) return fail(&error);
  if (bloomery_open(path, NULL, &opened, &error)) return fail(&error);
  found = bloomery_may_contain(opened, "example.com", 11) && bloomery_equal(filter, opened);
  bloomery_free(filter);
  bloomery_free(opened);
  printf("bloomery %s from C: %s\n", bloomery_version(), found ? "found" : "LOST");
  return found ? 0 : 1;
}
