// "Did you mean": the word that a mistyped one was meant to be.
#pragma once
#include <span>
#include <string>
#include <string_view>

namespace cli {

// Insertions, deletions, replacements and swaps of neighbours that make one of the other.
std::size_t edit_distance(std::string_view from, std::string_view to);

// The nearest candidate if it is near: at most a third of the letters are wrong, or it only goes on where
// the word stops. Empty: none, and for two that are as near.
std::string_view closest(std::string_view word, std::span<const std::string_view> candidates);

// "; did you mean 'check'?", or nothing.
std::string did_you_mean(std::string_view word, std::span<const std::string_view> candidates);

// "--kind: 'blockd' is unknown; did you mean 'blocked'? allowed are blocked, classic, exact"
std::string unknown_name(std::string_view argument, std::string_view word,
                         std::span<const std::string_view> allowed);

}  // namespace cli
