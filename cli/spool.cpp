#include "cli/spool.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>

#include "cli/report.hpp"

namespace cli {
namespace {

std::string temporary_folder() {
  const char* const wanted = std::getenv("TMPDIR");
  return wanted != nullptr && *wanted != '\0' ? wanted : "/tmp";
}

int open_nameless(const std::string& folder) {
  const int fd = ::open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
  if (fd >= 0 || (errno != EOPNOTSUPP && errno != EISDIR)) return fd;
  std::string name = folder + "/bloomery.XXXXXX";  // a file system without nameless files
  const int named = ::mkostemp(name.data(), O_CLOEXEC);
  if (named >= 0) ::unlink(name.c_str());
  return named;
}

Failure spool_failure(const std::string& folder, int error_number) {
  return {system_failure("a long line has to wait in a file in " + folder, error_number).message +
          "; set TMPDIR to a folder with more room"};
}

}  // namespace

Spool::Spool() : folder_(temporary_folder()), fd_(open_nameless(folder_)) {
  if (fd_ < 0) throw spool_failure(folder_, errno);
}

Spool::~Spool() { ::close(fd_); }

void Spool::append(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t n = ::write(fd_, bytes.data(), bytes.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) throw spool_failure(folder_, errno);
    bytes.remove_prefix(static_cast<std::size_t>(n));
  }
}

void Spool::copy_to(Output& out) {
  std::array<char, 1 << 16> block;
  if (::lseek(fd_, 0, SEEK_SET) < 0) throw spool_failure(folder_, errno);
  for (;;) {
    const ssize_t n = ::read(fd_, block.data(), block.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) throw spool_failure(folder_, errno);
    if (n == 0) return;
    out.bytes({block.data(), static_cast<std::size_t>(n)});
  }
}

}  // namespace cli
