#include <bloomery/filter.hpp>
#include <cstdio>

int main() {
  auto seen = bloomery::Filter::create({.expected_keys = 1'000'000, .fpr = 0.01});
  if (!seen) return 1;  // seen.error().message says why
  for (const char* url : {"https://a.example/", "https://b.example/", "https://a.example/"}) {
    auto inserted = seen->insert(url);
    if (inserted && *inserted == bloomery::Inserted::fresh) std::printf("fresh: %s\n", url);
  }
  std::puts(seen->may_contain("https://c.example/") ? "c: maybe" : "c: certainly not");
}
