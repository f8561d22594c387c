#include "cli/numbers.hpp"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <optional>
#include <string>

#include "bloomery/bits.hpp"
#include "cli/report.hpp"

namespace cli {
namespace {

using bloomery::uint128_t;

constexpr std::uint64_t kTooLarge = std::numeric_limits<std::uint64_t>::max();
// Exponents and fractions beyond this say nothing that fits 64 bits.
constexpr unsigned kMaxExponent = 40;

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// digits [. digits] [e [+] digits], as mantissa x 10^exponent, and what follows it.
struct Decimal {
  uint128_t mantissa = 0;
  int exponent = 0;
  bool overflow = false;
  std::string_view rest;
};

bool take_digits(std::string_view& text, Decimal& number, int exponent_step) {
  const std::size_t before = text.size();
  for (; !text.empty() && is_digit(text.front()); text.remove_prefix(1)) {
    if (number.mantissa >> 100 != 0) number.overflow = true;
    if (!number.overflow) number.mantissa = number.mantissa * 10 + static_cast<unsigned>(text.front() - '0');
    number.exponent += exponent_step;
  }
  return text.size() < before;
}

bool take_exponent(std::string_view& text, Decimal& number) {
  std::string_view digits = text.substr(1);
  if (!digits.empty() && digits.front() == '+') digits.remove_prefix(1);
  if (digits.empty() || !is_digit(digits.front())) return false;
  unsigned value = 0;
  for (; !digits.empty() && is_digit(digits.front()); digits.remove_prefix(1))
    if (value <= kMaxExponent) value = value * 10 + static_cast<unsigned>(digits.front() - '0');
  if (value > kMaxExponent) number.overflow = number.mantissa != 0;
  number.exponent += static_cast<int>(value > kMaxExponent ? kMaxExponent : value);
  text = digits;
  return true;
}

std::optional<Decimal> parse_decimal(std::string_view text) {
  Decimal number;
  if (!take_digits(text, number, 0)) return {};
  if (!text.empty() && text.front() == '.') {
    text.remove_prefix(1);
    if (!take_digits(text, number, -1)) return {};
  }
  if (!text.empty() && (text.front() == 'e' || text.front() == 'E') && !take_exponent(text, number)) return {};
  number.rest = text;
  return number;
}

struct Scaled {
  std::uint64_t value;
  bool whole;
};

// mantissa x 10^exponent x unit; kTooLarge if that does not fit.
Scaled scale(const Decimal& number, std::uint64_t unit) {
  if (number.overflow) return {kTooLarge, true};
  if (number.mantissa == 0) return {0, true};
  const uint128_t limit = ~uint128_t{0};
  uint128_t value = number.mantissa;
  if (value > limit / unit) return {kTooLarge, true};
  value *= unit;
  bool whole = true;
  for (int e = number.exponent; e > 0; --e) {
    if (value > limit / 10) return {kTooLarge, true};
    value *= 10;
  }
  for (int e = number.exponent; e < 0 && value != 0; ++e) {
    whole = whole && value % 10 == 0;
    value /= 10;
  }
  return {value > kTooLarge ? kTooLarge : static_cast<std::uint64_t>(value), whole};
}

struct Unit {
  std::string_view name;
  std::uint64_t factor;
};

constexpr std::uint64_t power(std::uint64_t base, unsigned exponent) {
  return exponent == 0 ? 1 : base * power(base, exponent - 1);
}

constexpr std::array<Unit, 6> kCountUnits = {
    {{"", 1}, {"k", 1000}, {"K", 1000}, {"M", power(1000, 2)}, {"G", power(1000, 3)}, {"T", power(1000, 4)}}};
constexpr std::array<Unit, 17> kSizeUnits = {{{"", 1},
                                              {"B", 1},
                                              {"k", 1024},
                                              {"K", 1024},
                                              {"KiB", 1024},
                                              {"M", power(1024, 2)},
                                              {"MiB", power(1024, 2)},
                                              {"G", power(1024, 3)},
                                              {"GiB", power(1024, 3)},
                                              {"T", power(1024, 4)},
                                              {"TiB", power(1024, 4)},
                                              {"kB", 1000},
                                              {"KB", 1000},
                                              {"MB", power(1000, 2)},
                                              {"GB", power(1000, 3)},
                                              {"TB", power(1000, 4)},
                                              {"P", power(1024, 5)}}};

template <class Units>
std::optional<Scaled> parse_with_unit(std::string_view text, const Units& units) {
  const auto number = parse_decimal(text);
  if (!number) return {};
  for (const Unit& unit : units)
    if (number->rest == unit.name) return scale(*number, unit.factor);
  return {};
}

// 2^40
std::optional<Scaled> parse_power(std::string_view text) {
  if (!text.starts_with("2^") || text.size() == 2) return {};
  unsigned exponent = 0;
  const auto [end, error] = std::from_chars(text.data() + 2, text.data() + text.size(), exponent);
  if (end != text.data() + text.size()) return {};
  if (error != std::errc{} || exponent > 63) return Scaled{kTooLarge, true};
  return Scaled{std::uint64_t{1} << exponent, true};
}

std::uint64_t in_range(std::string_view argument, std::string_view text, std::uint64_t value, CountRange range) {
  if (value < range.least || value > range.most)
    throw Failure{fmt::format("{}: '{}' is out of range; allowed is {} to {}", argument, text, grouped(range.least),
                              grouped(range.most))};
  return value;
}

// A plain decimal number, all of the text.
std::optional<double> parse_double(std::string_view text) {
  if (text.empty() || !(is_digit(text.front()) || text.front() == '.')) return {};
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (end != text.data() + text.size()) return {};
  if (error == std::errc::result_out_of_range) return 0.0;  // out of a rate's range either way
  if (error != std::errc{}) return {};
  return value;
}

std::optional<double> parse_rate_forms(std::string_view text) {
  if (text.ends_with('%')) {
    const auto percent = parse_double(text.substr(0, text.size() - 1));
    return percent ? std::optional(*percent / 100) : std::nullopt;
  }
  const std::size_t slash = text.find('/');
  if (slash == std::string_view::npos) return parse_double(text);
  const auto over = parse_double(text.substr(0, slash));
  const auto under = parse_double(text.substr(slash + 1));
  return over && under ? std::optional(*over / *under) : std::nullopt;
}

}  // namespace

std::uint64_t parse_count(std::string_view argument, std::string_view text, CountRange range) {
  auto number = parse_power(text);
  if (!number) number = parse_with_unit(text, kCountUnits);
  if (!number || !number->whole)
    throw Failure{fmt::format("{}: '{}' is not a whole number from {} to {}; forms: 1000, 10M, 1e9, 2^40", argument,
                              text, grouped(range.least), grouped(range.most))};
  return in_range(argument, text, number->value, range);
}

std::uint64_t parse_size(std::string_view argument, std::string_view text, CountRange range) {
  const auto number = parse_with_unit(text, kSizeUnits);
  if (!number)
    throw Failure{
        fmt::format("{}: '{}' is not a size from {} to {} bytes; forms: 4096, 64K, 1.5M, 2G (powers of 1024), "
                    "10MB (powers of 1000)",
                    argument, text, grouped(range.least), grouped(range.most))};
  return in_range(argument, text, number->value, range);
}

double parse_rate(std::string_view argument, std::string_view text) {
  const auto rate = parse_rate_forms(text);
  if (!rate || !(*rate >= kLeastRate && *rate < 1))
    throw Failure{
        fmt::format("{}: '{}' is not a rate; allowed is {} up to, not including, 1; forms: 0.01, 1e-6, 1%, "
                    "1/1000",
                    argument, text, kLeastRate)};
  return *rate;
}

std::uint64_t parse_seed(std::string_view argument, std::string_view text) {
  const bool hexadecimal = text.starts_with("0x");
  const std::string_view digits = hexadecimal ? text.substr(2) : text;
  std::uint64_t seed = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), seed, hexadecimal ? 16 : 10);
  if (error != std::errc{} || end != digits.data() + digits.size())
    throw Failure{
        fmt::format("{}: '{}' is not a seed; allowed is 0 to 18446744073709551615, 0x with up to 16 "
                    "hexadecimal digits, or random",
                    argument, text)};
  return seed;
}

double parse_duration(std::string_view argument, std::string_view text) {
  struct Unit {
    std::string_view name;
    double seconds;
  };
  constexpr Unit kUnits[] = {{"ms", 1e-3}, {"s", 1}, {"min", 60}, {"m", 60}, {"h", 3600}, {"d", 86400}};
  constexpr double kMostSeconds = 366.0 * 86400;
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number, std::chars_format::fixed);
  const std::string_view unit(end, static_cast<std::size_t>(text.data() + text.size() - end));
  for (const Unit& known : kUnits) {
    const double seconds = number * known.seconds;
    if (error == std::errc{} && unit == known.name && seconds > 0 && seconds <= kMostSeconds) return seconds;
  }
  throw Failure{fmt::format("{}: '{}' is not a time; allowed is above 0 up to 366d; forms: 500ms, 30s, 10min, 1.5h",
                            argument, text)};
}

}  // namespace cli
