#include <bloomery.h>
#include <stdio.h>
#include <string.h>

int main(void) {
  const char* urls[] = {"https://a.example/", "https://b.example/", "https://a.example/"};
  bloomery_spec spec = BLOOMERY_SPEC_INIT;
  bloomery_filter* seen;
  bloomery_error error;
  bool fresh;
  spec.expected_keys = 1000000;
  if (bloomery_create(&spec, &seen, &error)) return fprintf(stderr, "%s\n", error.message), 1;
  for (int i = 0; i < 3; ++i)
    if (bloomery_insert(seen, urls[i], strlen(urls[i]), &fresh, NULL) == BLOOMERY_OK && fresh)
      printf("fresh: %s\n", urls[i]);
  puts(bloomery_may_contain(seen, "https://c.example/", 18) ? "c: maybe" : "c: certainly not");
  bloomery_free(seen);
  return 0;
}
