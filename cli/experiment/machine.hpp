// Where figures were measured.
#pragma once
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace cli::experiment {

struct Machine {
  std::string cpu;
  unsigned processors = 0;
  std::uint64_t memory_bytes = 0;
  std::vector<std::pair<std::string, std::uint64_t>> caches = {};  // "L1 data", bytes
  std::string kernel;                                              // the library's vector instructions
  std::string compiler;
  std::string system;
};

// What the system does not say is empty or 0.
Machine this_machine();

}  // namespace cli::experiment
