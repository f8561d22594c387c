// How the program speaks to people and to machines.
#pragma once
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <utility>

#include "bloomery/result.hpp"

namespace cli {

using Json = nlohmann::ordered_json;

inline constexpr int kExitSuccess = 0;
inline constexpr int kExitNoMatch = 1;  // check found nothing
inline constexpr int kExitError = 2;
inline constexpr int kExitBrokenPromise = 3;  // under --strict

// Ends the verb with exit code 2: one line that says which file or argument, what is wrong, what to do.
struct Failure {
  std::string message;
};

// The value, or a Failure with the library's message.
template <class T>
T take(bloomery::Result<T> result) {
  if (!result) throw Failure{result.error().message};
  if constexpr (!std::is_void_v<T>) return *std::move(result);
}

// "FILE: No such file or directory"
Failure system_failure(std::string_view what, int error_number);

// Names the verb in messages from now on. REQUIRES: the text lives as long as the program.
void set_verb(std::string_view verb) noexcept;
std::string_view current_verb() noexcept;

// "bloomery VERB: message" on stderr; line breaks in it become spaces.
void print_error(std::string_view message) noexcept;
void print_warning(std::string_view message) noexcept;
void print_note(std::string_view text) noexcept;  // to stderr as it stands, with a newline

// To a descriptor, with a newline. Errors: Failure.
void print_text(int fd, std::string_view text);
void print_json(int fd, const Json& value);

std::string grouped(std::uint64_t number);     // 1,234,567
std::string human_bytes(std::uint64_t bytes);  // 17.14 MiB
std::string size_argument(std::uint64_t bytes);  // 18M, as --memory takes it; rounded up
std::string short_number(double number);       // 3.1e-05

}  // namespace cli
