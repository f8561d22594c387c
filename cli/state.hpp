// What dedup remembers from run to run: a filter file, exact or blocked, that one process at a time may use.
#pragma once
#include <memory>
#include <optional>
#include <string>

#include "bloomery/file.hpp"
#include "cli/common.hpp"

namespace cli {

class StateFile {
 public:
  // Takes the lock of `path`. Errors: Failure (another process has it)
  explicit StateFile(const std::string& path);

  // The state, verified whole and writable; nothing if there is no such file yet. Errors: Failure: damaged,
  // not a state, or made with another hash than the flags ask for.
  std::optional<bloomery::Filter> load(const HashOptions& flags) const;
  void save(const bloomery::Filter& keys) const;  // Errors: Failure; then the former state stays

  const std::string& path() const noexcept { return path_; }

 private:
  std::string path_;
  std::filesystem::path real_path_;
  bloomery::Lock lock_;
};

}  // namespace cli
