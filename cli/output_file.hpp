// Where lines go: standard output, or a file that appears when it is complete.
#pragma once
#include <string>

#include "cli/output.hpp"

namespace cli {

class OutputFile {
 public:
  // Empty: standard output. A regular file (or one that does not exist yet) is written under a temporary
  // name beside it; devices and pipes are written to as they are. A symlink is followed. Errors: Failure
  explicit OutputFile(const std::string& path);
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;
  ~OutputFile();  // without publish() nothing is left, and the former file stays

  Output& out() noexcept { return *out_; }
  void publish();  // flushes, and gives the file its name. Errors: Failure

 private:
  std::string target_;     // resolved
  std::string temporary_;  // empty: written to directly
  int fd_;
  std::unique_ptr<Output> out_;
};

}  // namespace cli
