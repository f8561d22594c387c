// At any moment the path holds the old file or the new one, whole.
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <thread>

#include "format/testing.hpp"

namespace bloomery::testing {
namespace {

namespace fs = std::filesystem;

mode_t mode_of(const fs::path& path) {
  struct stat info {};
  return ::stat(path.c_str(), &info) == 0 ? info.st_mode & 07777 : 0;
}

// Runs body in a child process; gives what it returned.
template <class Body>
int in_child(Body body) {
  const pid_t child = ::fork();
  if (child == 0) ::_exit(body());
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

int code_of(const Result<void>& result) { return result ? 0 : static_cast<int>(result.error().code); }

TEST(Save, RenamedOverWhileOpen) {
  TempFolder folder;
  const auto path = folder / "f.blm";
  ASSERT_TRUE(save(make_filter(Kind::blocked, 10'000), path));
  const Filter old = unwrap(open(path));
  ASSERT_TRUE(save(unwrap(Filter::create({.expected_keys = 5})), path));
  for (std::uint64_t i = 0; i < 10'000; ++i) ASSERT_TRUE(old.may_contain(test_key(i)));
  EXPECT_FALSE(unwrap(open(path)).may_contain(test_key(0)));
}

TEST(Save, ACopySurvivesWhatHappensToTheFile) {
  TempFolder folder;
  const auto path = folder / "f.blm";
  for (const Kind kind : {Kind::classic, Kind::blocked, Kind::exact, Kind::windowed}) {
    ASSERT_TRUE(save(make_filter(kind, 10'000), path));
    const Filter copy = unwrap(open(path, {.load = Load::copy}));
    ASSERT_EQ(::truncate(path.c_str(), 100), 0);
    for (std::uint64_t i = 0; i < 10'000; ++i) ASSERT_TRUE(copy.may_contain(test_key(i)));
    EXPECT_EQ(open(path).error().code, Errc::corrupt);
  }
}

TEST(Save, AMappedFilterOverItself) {
  TempFolder folder;
  const auto path = folder / "f.blm";
  ASSERT_TRUE(save(make_filter(Kind::blocked, 100'000), path));
  const FileBytes before = read_file(path);
  ASSERT_TRUE(save(unwrap(open(path)), path));
  EXPECT_EQ(read_file(path), before);
}

TEST(Save, PermissionsStay) {
  TempFolder folder;
  const auto path = folder / "f.blm";
  const Filter filter = make_filter(Kind::blocked, 10);
  const mode_t mask = ::umask(027);
  ASSERT_TRUE(save(filter, path));
  EXPECT_EQ(mode_of(path), 0640u);
  ::umask(mask);
  ASSERT_EQ(::chmod(path.c_str(), 0604), 0);
  ASSERT_TRUE(save(filter, path));
  EXPECT_EQ(mode_of(path), 0604u);
}

TEST(Save, SymlinksAreFollowed) {
  TempFolder folder;
  const Filter filter = make_filter(Kind::blocked, 10);
  fs::create_directory(folder / "real");
  fs::create_symlink("real/f.blm", folder / "middle.blm");
  fs::create_symlink(folder / "middle.blm", folder / "link.blm");
  for (int i = 0; i < 2; ++i) {  // a target that is not there yet, then one that is
    ASSERT_TRUE(save(filter, folder / "link.blm"));
    EXPECT_TRUE(fs::is_symlink(folder / "link.blm"));
    EXPECT_TRUE(fs::is_symlink(folder / "middle.blm"));
    EXPECT_TRUE(verify(folder / "real/f.blm"));
  }
  fs::create_symlink("loop", folder / "loop");
  EXPECT_EQ(code_of(save(filter, folder / "loop")), static_cast<int>(Errc::io));
}

TEST(Save, LongNamesAndNamesWithoutFolder) {
  TempFolder folder;
  const Filter filter = make_filter(Kind::blocked, 10);
  EXPECT_TRUE(save(filter, folder / std::string(255, 'n')));
  const auto too_long = save(filter, folder / std::string(256, 'n'));
  EXPECT_EQ(code_of(too_long), static_cast<int>(Errc::io));
  EXPECT_EQ(in_child([&] { return ::chdir(folder.path().c_str()) != 0 || !save(filter, "plain.blm"); }), 0);
  EXPECT_TRUE(verify(folder / "plain.blm"));
  EXPECT_EQ(folder.entries(), 2u);
}

TEST(Save, WhatCannotBeReplaced) {
  TempFolder folder;
  const Filter filter = make_filter(Kind::blocked, 10);
  write_file(folder / "file", {});
  ASSERT_EQ(::mkfifo((folder / "fifo").c_str(), 0600), 0);
  for (const fs::path& path : {folder.path(), folder / "absent/f.blm", folder / "file/f.blm", folder / "fifo",
                               fs::path("/dev/null"), fs::path("")}) {
    const auto saved = save(filter, path);
    ASSERT_FALSE(saved) << path;
    EXPECT_EQ(saved.error().code, Errc::io);
    EXPECT_NE(saved.error().message.find(path.string()), std::string::npos) << saved.error().message;
  }
  EXPECT_EQ(folder.entries(), 2u);
  EXPECT_TRUE(fs::is_fifo(folder / "fifo"));
}

TEST(Save, AReadOnlyFolder) {
  TempFolder folder;
  const Filter filter = make_filter(Kind::blocked, 10);
  ASSERT_TRUE(save(filter, folder / "f.blm"));
  const FileBytes before = read_file(folder / "f.blm");
  ASSERT_EQ(::chmod(folder.path().c_str(), 0555), 0);
  const int code = in_child([&] {
    if (::getuid() == 0 && (::setgid(65534) != 0 || ::setuid(65534) != 0)) return 99;  // permissions do not bind root
    return code_of(save(filter, folder / "f.blm"));
  });
  ASSERT_EQ(::chmod(folder.path().c_str(), 0755), 0);
  EXPECT_EQ(code, static_cast<int>(Errc::io));
  EXPECT_EQ(read_file(folder / "f.blm"), before);
  EXPECT_EQ(folder.entries(), 1u);
}

TEST(Save, AFullDisk) {
  TempFolder folder;
  const auto path = folder / "f.blm";
  ASSERT_TRUE(save(make_filter(Kind::blocked, 10), path));
  const FileBytes before = read_file(path);
  const Filter big = make_filter(Kind::blocked, 1'000'000);
  const auto fails_within = [&](rlim_t limit) {
    return in_child([&] {
      ::signal(SIGXFSZ, SIG_IGN);
      const rlimit size{limit, limit};
      if (::setrlimit(RLIMIT_FSIZE, &size) != 0) return 99;
      const auto saved = save(big, path);
      if (saved || saved.error().message.find(path.string()) == std::string::npos) return 98;
      return code_of(saved);
    });
  };
  for (const rlim_t limit : {0u, 100u, 4096u, 1'000'000u}) {
    EXPECT_EQ(fails_within(limit), static_cast<int>(Errc::io));
    EXPECT_EQ(read_file(path), before);
    EXPECT_EQ(folder.entries(), 1u);
  }
}

TEST(Write, ToAFullDiskAndAClosedPipe) {
  const Filter filter = make_filter(Kind::blocked, 1000);
  const int full = ::open("/dev/full", O_WRONLY | O_CLOEXEC);
  ASSERT_GE(full, 0);
  const auto written = write(filter, full);
  ::close(full);
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error().code, Errc::io);
  EXPECT_NE(written.error().message.find("the disk is full"), std::string::npos);

  EXPECT_EQ(in_child([&] {
              ::signal(SIGPIPE, SIG_IGN);
              int ends[2];
              if (::pipe(ends) != 0) return 99;
              ::close(ends[0]);
              return code_of(write(filter, ends[1]));
            }),
            static_cast<int>(Errc::io));
}

TEST(Write, ThroughAPipeThatDoesNotBlock) {
  const Filter filter = make_filter(Kind::blocked, 500'000);
  int ends[2];
  ASSERT_EQ(::pipe2(ends, O_CLOEXEC | O_NONBLOCK), 0);
  FileBytes received;
  std::thread reader([&] {
    FileBytes part(5000);
    while (true) {
      const ssize_t got = ::read(ends[0], part.data(), part.size());
      if (got == 0) return;
      if (got > 0) received.insert(received.end(), part.begin(), part.begin() + got);
      if (got < 0) std::this_thread::sleep_for(std::chrono::microseconds(100));
    }
  });
  EXPECT_TRUE(write(filter, ends[1]));
  ::close(ends[1]);
  reader.join();
  ::close(ends[0]);
  EXPECT_EQ(received, encoded(filter));
}

TEST(Save, KilledAtAnyMoment) {
  TempFolder folder;
  const auto path = folder / "f.blm";
  const Filter filters[] = {make_filter(Kind::blocked, 400'000), make_filter(Kind::blocked, 300'000)};
  const FileBytes allowed[] = {encoded(filters[0]), encoded(filters[1])};
  ASSERT_TRUE(save(filters[0], path));
  const auto until = std::chrono::steady_clock::now() + std::chrono::milliseconds(1500);
  unsigned rounds = 0, seen[2] = {0, 0};
  for (; std::chrono::steady_clock::now() < until || rounds < 20; ++rounds) {
    const pid_t child = ::fork();
    if (child == 0)
      for (unsigned i = 0;; ++i) static_cast<void>(save(filters[(rounds + i) % 2], path));
    ::usleep(static_cast<useconds_t>(mix(rounds + 1) % 20'000));
    ::kill(child, SIGKILL);
    ::waitpid(child, nullptr, 0);
    const FileBytes now = read_file(path);
    ASSERT_TRUE(now == allowed[0] || now == allowed[1]) << "round " << rounds << ": " << now.size() << " bytes";
    ASSERT_TRUE(verify(path));
    ++seen[now == allowed[1]];
  }
  EXPECT_GT(seen[0] + seen[1], 0u);
  for (const auto& entry : fs::directory_iterator(folder.path())) {  // what a killed process leaves is named so
    const std::string name = entry.path().filename().string();
    EXPECT_TRUE(name == "f.blm" || (name.starts_with(".f.blm.") && name.ends_with(".tmp"))) << name;
  }
  EXPECT_TRUE(save(filters[0], path));
}

TEST(Locks, OneAtATime) {
  TempFolder folder;
  const auto path = folder / "f.blm";
  fs::create_symlink("f.blm", folder / "link.blm");
  {
    const Lock held = unwrap(Lock::acquire(path));
    for (const auto& same : {path, folder / "link.blm"}) {
      const auto second = Lock::acquire(same);
      ASSERT_FALSE(second);
      EXPECT_EQ(second.error().code, Errc::locked);
    }
    EXPECT_TRUE(save(make_filter(Kind::blocked, 10), path));  // a lock is not on the file that is replaced
    EXPECT_EQ(in_child([&] { return Lock::acquire(path) ? 1 : 0; }), 0);
    EXPECT_TRUE(Lock::acquire(folder / "other.blm"));
  }
  EXPECT_TRUE(Lock::acquire(path));
  EXPECT_TRUE(fs::exists(folder / "f.blm.lock"));
  EXPECT_EQ(Lock::acquire(folder / "absent/f.blm").error().code, Errc::io);
}

TEST(Locks, ADeadOwnerHoldsNothing) {
  TempFolder folder;
  EXPECT_EQ(in_child([&] { return Lock::acquire(folder / "f.blm") ? 0 : 1; }), 0);
  EXPECT_TRUE(Lock::acquire(folder / "f.blm"));
}

TEST(Locks, Move) {
  TempFolder folder;
  Lock a = unwrap(Lock::acquire(folder / "a")), b = unwrap(Lock::acquire(folder / "b"));
  {
    const Lock moved(std::move(a));
    EXPECT_FALSE(Lock::acquire(folder / "a"));
  }
  EXPECT_TRUE(Lock::acquire(folder / "a"));
  b = unwrap(Lock::acquire(folder / "c"));
  EXPECT_TRUE(Lock::acquire(folder / "b"));
  EXPECT_FALSE(Lock::acquire(folder / "c"));
}

}  // namespace
}  // namespace bloomery::testing
