#include "cli/common.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <string_view>

#include "bloomery/layout/windowed.hpp"
#include "cli/closest.hpp"
#include "cli/input.hpp"
#include "cli/terminal.hpp"

namespace cli {
namespace {

constexpr std::array<std::string_view, 4> kHashNames = {"xxh3", "murmur3", "siphash", "aes"};
constexpr std::string_view kKeyForms = "a key file holds 16 bytes, or 32 hexadecimal digits";

bloomery::HashId hash_id_from(const HashOptions& options) {
  using bloomery::HashId;
  if (options.hash.empty()) return options.key_file.empty() ? HashId::xxh3 : HashId::siphash;
  const auto id = bloomery::hash_id_from_name(options.hash);
  if (!id || *id == HashId::precomputed)
    throw Failure{unknown_name("--hash", options.hash, kHashNames)};
  return *id;
}

void require_private_file(const std::string& path, const struct stat& status) {
  if (!S_ISREG(status.st_mode)) throw Failure{fmt::format("--key-file: {} is not a regular file", path)};
  if ((status.st_mode & (S_IRWXG | S_IRWXO)) != 0)
    throw Failure{fmt::format("--key-file: others may use {} (mode {:03o}); run: chmod 600 {}", path,
                              status.st_mode & 0777U, path)};
}

void set_colors(const std::string& name) {
  static constexpr std::array<std::string_view, 3> kAllowed = {"auto", "always", "never"};
  const auto choice = color_choice_from_name(name);
  if (!choice) throw Failure{unknown_name("--color", name, kAllowed)};
  choose_colors(*choice);
}

bloomery::SecretKey key_from_hex(std::string_view digits, const std::string& path) {
  bloomery::SecretKey key;
  for (std::size_t i = 0; i < key.size(); ++i) {
    unsigned value = 0;
    const char* const first = digits.data() + 2 * i;
    const auto [end, error] = std::from_chars(first, first + 2, value, 16);
    if (error != std::errc{} || end != first + 2)
      throw Failure{fmt::format("--key-file: {} has 32 characters that are not all hexadecimal; {}", path, kKeyForms)};
    key[i] = static_cast<std::byte>(value);
  }
  return key;
}

bloomery::SecretKey key_from_content(std::string_view content, const std::string& path) {
  bloomery::SecretKey key;
  if (content.size() == key.size()) {
    std::transform(content.begin(), content.end(), key.begin(), [](char c) { return static_cast<std::byte>(c); });
    return key;
  }
  if (content.size() == 33 && content.back() == '\n') content.remove_suffix(1);
  if (content.size() == 32) return key_from_hex(content, path);
  throw Failure{fmt::format("--key-file: {} has {} 16 bytes; {}", path,
                            content.size() < 16 ? "fewer than" : "more than", kKeyForms)};
}

// Closes what it opened.
struct Descriptor {
  int fd;
  ~Descriptor() {
    if (fd >= 0) ::close(fd);
  }
};

}  // namespace

void add_rate(CLI::App& app, const std::string& name, std::optional<double>& to, const std::string& description) {
  app.add_option_function<std::string>(
         name, [&to, name](const std::string& text) { to = parse_rate(name, text); }, description)
      ->type_name("RATE");
}

void add_duration(CLI::App& app, const std::string& name, std::optional<double>& to, const std::string& description) {
  app.add_option_function<std::string>(
         name, [&to, name](const std::string& text) { to = parse_duration(name, text); }, description)
      ->type_name("TIME");
}

void add_count(CLI::App& app, const std::string& name, std::optional<std::uint64_t>& to, CountRange range,
               const std::string& description) {
  app.add_option_function<std::string>(
         name, [&to, name, range](const std::string& text) { to = parse_count(name, text, range); }, description)
      ->type_name("N");
}

void add_size(CLI::App& app, const std::string& name, std::optional<std::uint64_t>& to, CountRange range,
              const std::string& description) {
  app.add_option_function<std::string>(
         name, [&to, name, range](const std::string& text) { to = parse_size(name, text, range); }, description)
      ->type_name("SIZE");
}

void add_common(CLI::App& app, CommonOptions& to) {
  CLI::Option* json = app.add_flag("--json", to.json, "Say it in JSON");
  app.add_flag("-q,--quiet", to.quiet, "Say nothing but errors")->excludes(json);
  app.add_option_function<std::string>("--color", set_colors, "Colours: auto (default), always, never")
      ->type_name("WHEN")
      ->trigger_on_parse();  // so that messages about the other options have them
}

void add_threads(CLI::App& app, std::optional<std::uint64_t>& to) {
  app.add_option_function<std::string>(
         "-j,--threads", [&to](const std::string& text) { to = parse_count("--threads", text, {1, 64}); },
         "Work in N threads, up to 64 (default 1); the output is the same for every N")
      ->type_name("N");
}

void add_progress(CLI::App& app, bool& to) {
  app.add_flag("--progress", to, "Show progress on stderr even if it is not a terminal");
}

void add_hash(CLI::App& app, HashOptions& to) {
  app.add_option("--hash", to.hash, "Hash function: xxh3 (default), aes, murmur3, siphash")->type_name("NAME");
  app.add_option("--seed", to.seed, "Seed of xxh3 or aes, or random (default 0)")->type_name("N|random");
  app.add_option("--key-file", to.key_file, "Secret key of siphash, for hostile lines: 16 bytes, mode 600")
      ->type_name("FILE");
}

void add_field(CLI::App& app, FieldOptions& to) {
  add_count(app, "-k,--key", to.number, {1, 1'000'000}, "The key is field N (from 1); a missing one is empty");
  app.add_option("--delimiter", to.delimiter, "The byte that ends a field (default: a tab)")->type_name("C");
}

void add_key_file(CLI::App& app, std::string& to) {
  app.add_option("--key-file", to, "The secret key that the filter was made with")->type_name("FILE");
}

KeyField field_from(const FieldOptions& options, char end) {
  if (options.delimiter && !options.number) throw Failure{"--delimiter: says how fields end; give -k N too"};
  if (options.delimiter && (options.delimiter->size() != 1 || options.delimiter->front() == end))
    throw Failure{
        fmt::format("--delimiter: '{}' is not one byte that differs from the end of a line", *options.delimiter)};
  KeyField field{.number = options.number.value_or(0)};
  if (options.delimiter) field.delimiter = options.delimiter->front();
  return field;
}

std::uint64_t seed_from(const std::string& text, std::uint64_t otherwise) {
  if (text.empty()) return otherwise;
  if (text != "random") return parse_seed("--seed", text);
  std::uint64_t seed = 0;
  if (::getrandom(&seed, sizeof seed, 0) != sizeof seed) throw system_failure("--seed random", errno);
  return seed;
}

bloomery::Hasher hasher_from(const HashOptions& options) {
  using bloomery::HashId;
  const HashId id = hash_id_from(options);
  const std::string_view hash = bloomery::name(id);
  if (id != HashId::siphash && !options.key_file.empty())
    throw Failure{fmt::format("--key-file: {} has no secret key; use --hash siphash", hash)};
  if (id != HashId::xxh3 && id != HashId::aes && !options.seed.empty())
    throw Failure{fmt::format("--seed: {} has no seed; only xxh3 and aes have one", hash)};
  if (id == HashId::siphash) {
    if (options.key_file.empty()) throw Failure{"--hash siphash: needs its secret key; give --key-file FILE"};
    return bloomery::Hasher::siphash(read_key_file(options.key_file));
  }
  if (id == HashId::murmur3) return bloomery::Hasher::murmur3();
  const std::uint64_t seed = seed_from(options.seed, 0);
  return id == HashId::aes ? bloomery::Hasher::aes(seed) : bloomery::Hasher::xxh3(seed);
}

std::string describe(const bloomery::Hasher& hasher, bool key_missing) {
  const std::string_view name = bloomery::name(hasher.id);
  if (hasher.seeded()) return fmt::format("{}, seed {}", name, hasher.seed());
  if (!hasher.secret()) return std::string(name);
  return fmt::format("{}, secret key{}", name, key_missing ? " (not given)" : "");
}

bloomery::SecretKey read_key_file(const std::string& path) {
  const std::string where = "--key-file: " + path;
  // Not blocking: a pipe is refused below, and must not make us wait for its writer first.
  const Descriptor file{::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)};
  if (file.fd < 0) throw system_failure(where, errno);
  struct stat status;
  if (::fstat(file.fd, &status) != 0) throw system_failure(where, errno);
  require_private_file(path, status);
  std::array<char, 64> content;
  const ssize_t n = ::read(file.fd, content.data(), content.size());
  if (n < 0) throw system_failure(where, errno);
  return key_from_content({content.data(), static_cast<std::size_t>(n)}, path);
}

bloomery::Filter open_filter(const std::string& path, const std::string& key_file, bloomery::Load load) {
  bloomery::OpenOptions options{.load = load};
  if (!key_file.empty()) options.key = read_key_file(key_file);
  auto filter = bloomery::open(path, options);
  if (!filter && filter.error().code == bloomery::Errc::key_required)
    throw Failure{fmt::format("{}: was made with a secret key; give it with --key-file FILE", path)};
  return take(std::move(filter));
}

void require_line_hasher(const bloomery::Filter& filter, const std::string& path) {
  if (filter.hasher().id == bloomery::HashId::precomputed)
    throw Failure{fmt::format("{}: holds hashes that another program made; it cannot be asked about lines", path)};
}

void store(const bloomery::Filter& filter, const std::string& path) {
  if (path == "-") return take(bloomery::write(filter, STDOUT_FILENO));
  struct stat status;
  if (::stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode)) {
    const Descriptor device{::open(path.c_str(), O_WRONLY | O_CLOEXEC)};
    if (device.fd < 0) throw system_failure(path, errno);
    return take(bloomery::write(filter, device.fd));
  }
  take(bloomery::save(filter, path));
}

void warn_past_plan(const bloomery::Filter& filter, const std::string& path) {
  const std::uint64_t planned = filter.planned_keys(), inserted = filter.counts().inserted;
  const bool planned_for_all = filter.kind() != bloomery::Kind::exact && filter.kind() != bloomery::Kind::windowed;
  if (!planned_for_all || planned == 0 || inserted <= planned) return;
  print_warning(fmt::format(
      "{}: {} keys are in, planned were {}: the false-positive rate is {} now, planned was {}; build a larger filter",
      path, grouped(inserted), grouped(planned), short_number(filter.current_fpr()),
      short_number(filter.planned_fpr())));
}

void refuse_terminal(const std::string& output_path) {
  if (output_path == "-" && ::isatty(STDOUT_FILENO) == 1)
    throw Failure{"-o -: a filter is not text for a terminal; redirect standard output or name a file"};
}

std::uint64_t default_memory_bytes() {
  constexpr std::uint64_t kMost = std::uint64_t{1} << 30;
  const long pages = ::sysconf(_SC_PHYS_PAGES), page_bytes = ::sysconf(_SC_PAGESIZE);
  if (pages <= 0 || page_bytes <= 0) return kMost;
  return std::min(kMost, static_cast<std::uint64_t>(pages) * static_cast<std::uint64_t>(page_bytes) / 4);
}

std::uint64_t size_bits(const bloomery::Shape& shape) {
  constexpr std::uint64_t kBitsPerLine = 512;
  if (shape.kind == bloomery::Kind::windowed) return bloomery::Windowed::size_bits(shape);
  return shape.cells * (shape.kind == bloomery::Kind::blocked ? kBitsPerLine : shape.cell_bits);
}

}  // namespace cli
