// Errors are values. Nothing in this library throws on bad input, and no query fails.
#pragma once
#include <optional>
#include <string>
#include <utility>
#include <variant>

namespace bloomery {

// Why an operation did not happen. Values are frozen: the C API will return the same numbers.
enum class Errc : int {
  invalid_argument = 1,  // the caller's numbers make no sense, e.g. fpr >= 1
  not_supported = 2,     // this kind, or a read-only filter, cannot do that
  full = 3,              // no room left
  incompatible = 4,      // merge of filters with different shapes or hashers
  key_required = 5,      // the file was made with a secret key, and none was given
  wrong_key = 6,         // the key given is not the one the file was made with
  locked = 7,            // another process is updating this file
  not_a_filter = 10,     // no known format claims these bytes
  too_new = 11,          // a version or feature this build does not know
  corrupt = 12,          // the header contradicts itself, the length or a checksum
  io = 20,               // the operating system said no
  no_memory = 21,
};

struct Error {
  Errc code;
  std::string message;  // one line for a person: which file or argument, what is wrong, what to do
};

// A T or the Error that kept it from being. Our own type in every language mode, never an alias
// of std::expected, so that the ABI does not depend on the caller's -std=.
template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}
  Result(Error error) : state_(std::in_place_index<1>, std::move(error)) {}

  explicit operator bool() const noexcept { return state_.index() == 0; }

  // REQUIRES: *this holds a value.
  T& operator*() & noexcept { return *std::get_if<0>(&state_); }
  const T& operator*() const& noexcept { return *std::get_if<0>(&state_); }
  T&& operator*() && noexcept { return std::move(*std::get_if<0>(&state_)); }
  T* operator->() noexcept { return std::get_if<0>(&state_); }
  const T* operator->() const noexcept { return std::get_if<0>(&state_); }

  // REQUIRES: *this holds an error.
  const Error& error() const noexcept { return *std::get_if<1>(&state_); }

 private:
  std::variant<T, Error> state_;
};

template <>
class [[nodiscard]] Result<void> {
 public:
  Result() = default;
  Result(Error error) : error_(std::move(error)) {}

  explicit operator bool() const noexcept { return !error_; }

  // REQUIRES: *this holds an error.
  const Error& error() const noexcept { return *error_; }

 private:
  std::optional<Error> error_;
};

}  // namespace bloomery
