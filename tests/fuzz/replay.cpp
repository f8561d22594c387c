// Runs a fuzz body over every file of some folders, and over mutations of them for about a second.
// Half of the mutants get the checksum of their header made right again, so that the checks behind it are met.
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <vector>

#include "format/header.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

using Input = std::vector<std::uint8_t>;

std::vector<Input> read_folders(int count, char** folders) {
  std::vector<std::filesystem::path> paths;
  for (int i = 0; i < count; ++i)
    for (const auto& entry : std::filesystem::directory_iterator(folders[i]))
      if (entry.is_regular_file()) paths.push_back(entry.path());
  std::sort(paths.begin(), paths.end());
  std::vector<Input> inputs;
  for (const auto& path : paths) {
    std::ifstream in(path, std::ios::binary);
    inputs.emplace_back(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>());
  }
  return inputs;
}

void reseal(Input& input) {
  const bloomery::Bytes bytes = std::as_writable_bytes(std::span(input));
  if (bytes.size() < bloomery::format::kFixedBytes) return;
  const auto header_bytes = bloomery::load_le<std::uint32_t>(bytes.data() + 12);
  if (header_bytes < bloomery::format::kFixedBytes || header_bytes > bytes.size()) return;
  bloomery::format::seal(bytes.first(header_bytes));
}

// Bytes and words that programs stumble over, mostly put where the header is.
void mutate(Input& input, std::mt19937_64& random) {
  constexpr std::uint64_t kOdd[] = {0, 1, 2, 7, 8, 63, 64, 127, 128, 255, 4096, 65535, 1u << 20, 0x7FFFFFFF,
                                    0xFFFFFFFF, 1ull << 40, 1ull << 60, 1ull << 63, ~0ull, 0x7FF0000000000000};
  for (auto rounds = 1 + random() % 4; rounds > 0 && !input.empty(); --rounds) {
    const std::size_t within = random() % 4 == 0 ? input.size() : std::min<std::size_t>(input.size(), 200);
    const std::size_t at = random() % within;
    const std::uint64_t value = random() % 2 == 0 ? kOdd[random() % std::size(kOdd)] : random();
    const std::size_t width = std::min<std::size_t>(std::size_t{1} << (random() % 4), input.size() - at);
    for (std::size_t i = 0; i < width; ++i) input[at + i] = static_cast<std::uint8_t>(value >> (8 * i));
    if (random() % 16 == 0) input.resize(random() % (2 * input.size()));
  }
  if (random() % 2 == 0) reseal(input);
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<Input> inputs = read_folders(argc - 1, argv + 1);
  if (inputs.empty()) {
    std::fprintf(stderr, "no inputs: name folders that hold some\n");
    return 2;
  }
  for (const Input& input : inputs) LLVMFuzzerTestOneInput(input.data(), input.size());
  std::mt19937_64 random(20261130);
  std::uint64_t runs = 0;
  for (const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(1); std::chrono::steady_clock::now() < end;
       ++runs) {
    Input input = inputs[random() % inputs.size()];
    mutate(input, random);
    LLVMFuzzerTestOneInput(input.data(), input.size());
  }
  std::printf("%zu inputs, %llu mutations\n", inputs.size(), static_cast<unsigned long long>(runs));
  return 0;
}
