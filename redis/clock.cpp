#include "redis/clock.hpp"

#include <chrono>

#include "redis/api.hpp"

namespace bloomery::redis {

long long (*unix_ms)() noexcept = []() noexcept {
  using std::chrono::milliseconds, std::chrono::system_clock;
  return static_cast<long long>(
      std::chrono::duration_cast<milliseconds>(system_clock::now().time_since_epoch()).count());
};

void use_server_clock() noexcept {
  if (api.cached_us) {
    unix_ms = []() noexcept { return api.cached_us() / 1000; };
  } else {
    unix_ms = []() noexcept { return api.now_ms(); };
  }
}

}  // namespace bloomery::redis
