// For builds without hiredis, in place of the other files here.
#include "cli/redis/shared_set.hpp"
#include "cli/report.hpp"

namespace cli {

std::unique_ptr<SharedSet> SharedSet::open(const SharedSetOptions&) {
  throw Failure{"--redis: this build cannot: it was made without hiredis (Debian: libhiredis-dev)"};
}

}  // namespace cli
