// A mapped file that somebody truncates meanwhile raises SIGBUS when a lost page is touched.
#pragma once
#include <string_view>

namespace cli {

// From now on SIGBUS says which file was cut short and exits with code 2. The name is cut at 4000 bytes.
void name_mapped_file(std::string_view path) noexcept;

}  // namespace cli
