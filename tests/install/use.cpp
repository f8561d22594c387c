// A foreign C++ program: files, batches, plans and layouts, all by the installed headers.
#include <bloomery/file.hpp>
#include <bloomery/kernel.hpp>
#include <bloomery/layout/blocked.hpp>
#include <bloomery/plan.hpp>
#include <cstdio>
#include <vector>

int main(int argc, char** argv) {
  const char* path = argc > 1 ? argv[1] : "use_cpp.blm";
  const auto plan = bloomery::plan({.keys = 1000, .fpr = 0.001});
  if (!plan) return std::puts(plan.error().message.c_str()), 1;
  auto filter = bloomery::Filter::create(*plan, bloomery::Hasher::xxh3(7));
  if (!filter || !filter->insert("example.com")) return 1;
  if (const auto saved = bloomery::save(*filter, path); !saved) return std::puts(saved.error().message.c_str()), 1;
  const auto opened = bloomery::open(path);
  if (!opened) return std::puts(opened.error().message.c_str()), 1;
  const bloomery::Segment& segment = opened->segments()[0];
  const bloomery::Hash hash = opened->hasher()("example.com");
  const bool found = *opened == *filter && opened->may_contain("example.com") && !opened->may_contain("example.org") &&
                     bloomery::Blocked::may_contain(segment.shape, segment.bytes, hash) &&
                     !bloomery::active_kernel().empty() && !bloomery::open("/nowhere");
  std::printf("bloomery %s from C++: %s\n", BLOOMERY_VERSION, found ? "found" : "LOST");
  return found ? 0 : 1;
}
