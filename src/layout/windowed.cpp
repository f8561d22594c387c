#include "bloomery/layout/windowed.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "layout/line_patterns.hpp"
#include "layout/shape_check.hpp"

namespace bloomery {
namespace {

Result<void> check_param(const char* field, std::uint64_t value, std::uint64_t most) {
  if (value >= 1 && value <= most) return {};
  return Error{Errc::invalid_argument, std::string(field) + " must be 1.." + std::to_string(most) +
                                           " for kind windowed (got " + std::to_string(value) + ")"};
}

}  // namespace

Result<void> Windowed::check(const Shape& s) {
  if (auto window = check_param("param[0]", s.param[0], kMaxWindow); !window) return window;
  if (auto generations = check_param("param[1]", s.param[1], kMaxGenerations); !generations) return generations;
  Shape others = s;
  others.param[0] = others.param[1] = 0;
  return check_shape(others, {name, kFromFirst | kWhenTold, 1, Blocked::kMaxProbes, 1, Blocked::kMaxLinesPerKey, 1, kMaxCells});
}

double Windowed::fill_ratio(const Shape& s, ConstBytes bytes) noexcept {
  std::uint64_t count = 0;
  for (std::uint64_t at = 0; at < lines_bytes(s); at += Blocked::kLineBytes)
    for (const std::uint64_t ones : ones_of_words(bytes.data() + at)) count += ones;
  return static_cast<double>(count) / static_cast<double>(8 * lines_bytes(s));
}

// The lines of a place hold different keys: a stranger's chances in them are independent.
double Windowed::current_fpr(const Shape& s, ConstBytes bytes) noexcept {
  const double patterns = std::ldexp(64.0, 6 * s.probes) * static_cast<double>(s.cells);
  double log_none = 0;
  for (unsigned slot = 0; slot < slots(s); ++slot) {
    double held = 0;
    for (std::uint64_t place = 0; place < s.cells; ++place) {
      const std::byte* line = bytes.data() + place * place_bytes(s) + slot * Blocked::kLineBytes;
      held += static_cast<double>(patterns_held(ones_of_words(line), Blocked::subsets(s.probes)));
    }
    log_none += std::log1p(-std::pow(held / patterns, s.lines_per_key));
  }
  return -std::expm1(log_none);
}

void Windowed::begin_generation(const Shape& s, Bytes bytes) noexcept {
  std::byte* const state = bytes.data() + lines_bytes(s);
  const std::uint64_t generation = load_le<std::uint64_t>(state) + 1;
  const std::uint64_t slot = generation % slots(s);
  for (std::uint64_t place = 0; place < s.cells; ++place)
    std::fill_n(bytes.data() + place * place_bytes(s) + slot * Blocked::kLineBytes, Blocked::kLineBytes, std::byte{0});
  store_le(state, generation);
  store_le(state + 8, std::uint64_t{0});
}

}  // namespace bloomery
