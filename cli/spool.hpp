// Bytes that have to wait for a decision, in a temporary file that has no name.
#pragma once
#include <string>
#include <string_view>

#include "cli/output.hpp"

namespace cli {

class Spool {
 public:
  Spool();  // in $TMPDIR, or /tmp. Errors: Failure
  Spool(const Spool&) = delete;
  Spool& operator=(const Spool&) = delete;
  ~Spool();

  void append(std::string_view bytes);  // Errors: Failure, naming the folder (no space left)
  void copy_to(Output& out);            // Errors: Failure

 private:
  std::string folder_;
  int fd_;
};

}  // namespace cli
