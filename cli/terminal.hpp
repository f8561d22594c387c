// What only a terminal gets to see: colours, and a line that is written over.
#pragma once
#include <optional>
#include <string>
#include <string_view>

namespace cli {

enum class ColorChoice { automatic, always, never };
// "auto", "always", "never"
std::optional<ColorChoice> color_choice_from_name(std::string_view name) noexcept;

// From now on. Before: automatic, which colours terminals, unless NO_COLOR is set to something or TERM is dumb.
void choose_colors(ColorChoice choice) noexcept;
bool has_colors(int fd) noexcept;

enum class Style { error, warning, good, faint };
// The text with the style's colour around it, if fd has colours.
std::string styled(Style style, std::string_view text, int fd);

// A line on stderr that the next one replaces. Best effort.
void show_transient(std::string_view text) noexcept;
// Takes it away again; whoever writes to the terminal calls this first.
void clear_transient() noexcept;

// All of it to stderr, best effort: when stderr fails there is nobody left to tell.
void write_stderr(std::string_view text) noexcept;

}  // namespace cli
