// How many distinct keys went by, in 64 KiB: HyperLogLog.
#pragma once
#include <array>
#include <bit>
#include <cstdint>
#include <memory>

namespace cli {

// Each key goes to one of 2^16 registers by the first 16 bits of its hash; a register keeps the longest run
// of zeros that the other 48 bits began with, plus one. Repeats change nothing.
// Source: Flajolet, Fusy, Gandouet, Meunier, "HyperLogLog", 2007, with 64-bit hashes as in Heule, Nunkesser,
// Hall, "HyperLogLog in practice", 2013; the estimator is the improved raw one of Ertl, "New cardinality
// estimation algorithms for HyperLogLog sketches", 2017, section 4: without bias from 0 to 2^60 keys.
class HyperLogLog {
 public:
  static constexpr unsigned kRegistersLog2 = 16;
  static constexpr std::size_t kRegisters = std::size_t{1} << kRegistersLog2;
  // Of the estimate, relative: 1.04 / sqrt(registers); measured by the tests to be at most that.
  static constexpr double kStandardError = 1.04 / 256;

  // REQUIRES: the hashes of different keys are independent and uniform.
  void add(std::uint64_t hash) noexcept {
    constexpr std::uint64_t kStop = std::uint64_t{1} << (kRegistersLog2 - 1);  // the run ends at the last bit
    const auto run = static_cast<std::uint8_t>(std::countl_zero((hash << kRegistersLog2) | kStop) + 1);
    std::uint8_t& kept = (*registers_)[hash >> (64 - kRegistersLog2)];
    if (run > kept) kept = run;
  }

  double estimate() const noexcept;

 private:
  using Registers = std::array<std::uint8_t, kRegisters>;
  std::unique_ptr<Registers> registers_ = std::make_unique<Registers>();
};

}  // namespace cli
