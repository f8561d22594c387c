#include "cli/experiment/machine.hpp"

#include <fmt/format.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <thread>

#include "bloomery/kernel.hpp"

namespace cli::experiment {
namespace {

std::string first_line(const std::string& path) {
  std::ifstream in(path);
  std::string line;
  std::getline(in, line);
  return line;
}

std::string cpu_model() {
  std::ifstream in("/proc/cpuinfo");
  for (std::string line; std::getline(in, line);)
    if (line.starts_with("model name")) return line.substr(std::min(line.find(": "), line.size() - 2) + 2);
  return "";
}

// "48K" as the kernel writes it.
std::uint64_t kib(const std::string& text) { return std::strtoull(text.c_str(), nullptr, 10) << 10; }

std::vector<std::pair<std::string, std::uint64_t>> caches() {
  std::vector<std::pair<std::string, std::uint64_t>> found;
  for (unsigned index = 0;; ++index) {
    const std::string folder = fmt::format("/sys/devices/system/cpu/cpu0/cache/index{}/", index);
    const std::string level = first_line(folder + "level"), type = first_line(folder + "type");
    if (level.empty()) return found;
    if (type == "Instruction") continue;
    found.emplace_back(fmt::format("L{}{}", level, type == "Data" ? " data" : ""), kib(first_line(folder + "size")));
  }
}

std::uint64_t memory_bytes() {
  const long pages = ::sysconf(_SC_PHYS_PAGES), size = ::sysconf(_SC_PAGESIZE);
  return pages > 0 && size > 0 ? static_cast<std::uint64_t>(pages) * static_cast<std::uint64_t>(size) : 0;
}

std::string system_name() {
  utsname names;
  return ::uname(&names) == 0 ? fmt::format("{} {} {}", names.sysname, names.release, names.machine) : "";
}

}  // namespace

Machine this_machine() {
  return {.cpu = cpu_model(),
          .processors = std::thread::hardware_concurrency(),
          .memory_bytes = memory_bytes(),
          .caches = caches(),
          .kernel = std::string(bloomery::active_kernel()),
#ifdef __clang__
          .compiler = "clang " __clang_version__,
#else
          .compiler = "gcc " __VERSION__,
#endif
          .system = system_name()};
}

}  // namespace cli::experiment
