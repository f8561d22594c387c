#include "capi/translate.hpp"

#include <string>

namespace bloomery::capi {
namespace {

constexpr std::size_t kMaxStructBytes = 4096;  // more is a struct_size that nobody set

// Frozen: the C API returns the numbers of Errc.
#define SAME(c_name, name) static_assert(c_name == static_cast<int>(Errc::name))
SAME(BLOOMERY_INVALID_ARGUMENT, invalid_argument);
SAME(BLOOMERY_NOT_SUPPORTED, not_supported);
SAME(BLOOMERY_FULL, full);
SAME(BLOOMERY_INCOMPATIBLE, incompatible);
SAME(BLOOMERY_KEY_REQUIRED, key_required);
SAME(BLOOMERY_WRONG_KEY, wrong_key);
SAME(BLOOMERY_LOCKED, locked);
SAME(BLOOMERY_NOT_A_FILTER, not_a_filter);
SAME(BLOOMERY_TOO_NEW, too_new);
SAME(BLOOMERY_CORRUPT, corrupt);
SAME(BLOOMERY_IO, io);
SAME(BLOOMERY_NO_MEMORY, no_memory);
#undef SAME

// The end of the longest prefix of whole UTF-8 characters that is at most `limit` bytes.
std::size_t whole_characters(std::string_view text, std::size_t limit) noexcept {
  if (text.size() <= limit) return text.size();
  std::size_t end = limit;
  const auto continues = [&](std::size_t i) { return (static_cast<unsigned char>(text[i]) & 0xC0) == 0x80; };
  while (end > 0 && limit - end < 4 && continues(end)) --end;
  return continues(end) ? limit : end;  // not UTF-8: cut anywhere
}

}  // namespace

bloomery_status fail(bloomery_error* error, Errc code, std::string_view message) noexcept {
  const auto status = static_cast<bloomery_status>(code);
  if (error == nullptr) return status;
  const std::size_t length = whole_characters(message, sizeof error->message - 1);
  error->code = status;
  message.copy(error->message, length);
  error->message[length] = '\0';
  return status;
}

Error null_argument(const char* name) {
  return {Errc::invalid_argument, std::string(name) + ": is NULL, but must be given"};
}

Result<void> need(std::initializer_list<Argument> arguments) {
  for (const Argument& argument : arguments)
    if (argument.pointer == nullptr) return null_argument(argument.name);
  return {};
}

Result<void> check_struct_size(const char* name, std::size_t size) {
  if (size >= sizeof size && size <= kMaxStructBytes && size % 8 == 0) return {};
  return Error{Errc::invalid_argument, std::string(name) + ": struct_size " + std::to_string(size) +
                                           " is none of this struct; set it with the INIT macro"};
}

Result<void> check_unknown_fields(const char* name, std::span<const std::byte> fields) {
  if (std::all_of(fields.begin(), fields.end(), [](std::byte b) { return b == std::byte{0}; })) return {};
  return Error{Errc::not_supported, std::string(name) + ": sets a field that this version (" BLOOMERY_VERSION
                                                        ") does not know; leave it 0 or use a newer library"};
}

}  // namespace bloomery::capi
