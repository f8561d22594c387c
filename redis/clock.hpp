// The time of day.
#pragma once

namespace bloomery::redis {

// Milliseconds since 1970: by the C library's clock, until use_server_clock(). A test may put another in its place.
extern long long (*unix_ms)() noexcept;

// The server's time from now on: where the server has it, that of the command's beginning, so that one command has one
// time. REQUIRES: find_api() has succeeded.
void use_server_clock() noexcept;

}  // namespace bloomery::redis
