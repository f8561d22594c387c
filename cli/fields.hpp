// Which part of a line is its key.
#pragma once
#include <cstddef>
#include <string_view>

namespace cli {

struct KeyField {
  std::size_t number = 0;  // 0: the whole line; 1: the first field
  char delimiter = '\t';

  // A field that is not there is empty.
  std::string_view of(std::string_view line) const noexcept {
    if (number == 0) return line;
    for (std::size_t skip = 1; skip < number; ++skip) {
      const std::size_t end = line.find(delimiter);
      if (end == std::string_view::npos) return {};
      line.remove_prefix(end + 1);
    }
    return line.substr(0, line.find(delimiter));
  }
};

// The same for a line that comes in pieces: calls take(part) for what of each piece belongs to the key.
class KeyPieces {
 public:
  explicit KeyPieces(const KeyField& field) noexcept : field_(field) {}

  template <class Take>
  void add(std::string_view piece, Take take) {
    if (field_.number == 0) return take(piece);
    while (!piece.empty() && at_ <= field_.number) {
      const std::size_t end = piece.find(field_.delimiter);
      if (at_ == field_.number) take(piece.substr(0, end));
      if (end == std::string_view::npos) return;
      piece.remove_prefix(end + 1);
      ++at_;
    }
  }

 private:
  KeyField field_;
  std::size_t at_ = 1;
};

}  // namespace cli
