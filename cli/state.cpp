#include "cli/state.hpp"

#include <fmt/format.h>

#include <filesystem>

namespace cli {
namespace {

// The name that every process locks, however it came to the file.
std::filesystem::path real_path(const std::string& path) {
  std::error_code error;
  const auto real = std::filesystem::weakly_canonical(path, error);
  return error ? std::filesystem::path(path) : real;
}

void refuse_other_hash(const std::string& path, const bloomery::Hasher& made_with, const HashOptions& flags) {
  const bool hash_differs = !flags.hash.empty() && flags.hash != bloomery::name(made_with.id);
  const bool seed_differs =
      !flags.seed.empty() && (flags.seed == "random" || !made_with.seeded() ||
                              parse_seed("--seed", flags.seed) != made_with.seed());
  if (!hash_differs && !seed_differs) return;
  throw Failure{fmt::format("{}: was made with {}; leave out {}, or give another --state", path, describe(made_with),
                            hash_differs ? "--hash " + flags.hash : "--seed " + flags.seed)};
}

}  // namespace

StateFile::StateFile(const std::string& path)
    : path_(path), real_path_(real_path(path)), lock_(take(bloomery::Lock::acquire(real_path_))) {}

std::optional<bloomery::Filter> StateFile::load(const HashOptions& flags) const {
  if (!std::filesystem::exists(real_path_)) return {};
  bloomery::Filter keys = open_filter(path_, flags.key_file, bloomery::Load::copy);
  refuse_other_hash(path_, keys.hasher(), flags);
  require_line_hasher(keys, path_);
  if (keys.kind() != bloomery::Kind::exact && keys.kind() != bloomery::Kind::blocked &&
      keys.kind() != bloomery::Kind::windowed)
    throw Failure{fmt::format("{}: is a filter of kind {}; a state is exact, blocked or windowed", path_,
                              bloomery::name(keys.kind()))};
  take(bloomery::verify(path_));
  return keys;
}

void StateFile::save(const bloomery::Filter& keys) const { take(bloomery::save(keys, real_path_)); }

}  // namespace cli
