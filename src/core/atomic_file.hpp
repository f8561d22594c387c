// Replacing a file so that its path holds the old bytes or the new ones at any moment, whole.
#pragma once
#include <filesystem>

#include "core/file.hpp"

namespace bloomery::core {

// Writes go to a file `.NAME.XXXXXX.tmp` beside the target (six random letters); commit() puts it in
// place. Without a commit nothing happened: the temporary file is removed. Only a process that is
// killed leaves one behind; it can be deleted.
class AtomicFile {
 public:
  // Symlinks are followed; the owner and permissions of an existing file stay.
  // Errors: io; also when the target exists and is not a regular file.
  static Result<AtomicFile> create(const std::filesystem::path& path);
  AtomicFile(AtomicFile&& other) noexcept;
  AtomicFile& operator=(AtomicFile&&) = delete;
  ~AtomicFile();

  // Errors: io, naming the target.
  Result<void> append(ConstBytes bytes);
  // To the disk, then in place, then the folder to the disk. Errors: io; the old file is untouched,
  // unless the message says that only the folder could not be written to the disk.
  Result<void> commit();

 private:
  AtomicFile() = default;
  Result<void> create_temporary();
  Result<void> take_over_mode();
  Error failure(int error) const;

  std::filesystem::path target_, temporary_;
  Fd folder_, file_;
};

}  // namespace bloomery::core
