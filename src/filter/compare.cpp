#include "bloomery/compare.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <string>

#include "bloomery/layout/counting.hpp"
#include "core/guard.hpp"
#include "filter/access.hpp"
#include "filter/rep.hpp"

namespace bloomery {
namespace {

// What the estimates need to know of a shape: cells of which each throw of a key sets a few.
struct Throws {
  double cells;        // in all
  double per_key;      // independent throws of a key
  double set;          // cells that a throw sets, in one line (classic: the whole filter is the line)
  double line_cells;   // cells that a throw chooses from
  double word_cells;   // in a line, of these a throw sets one at most; as many as line_cells: any may be set with any
  double hit() const noexcept { return set / cells; }  // chance that a throw sets a given cell
};

Throws throws_of(const Shape& s) noexcept {
  const auto cells = static_cast<double>(s.cells);
  if (s.kind == Kind::blocked) return {cells * Blocked::kLineBits, 1.0 * s.lines_per_key, 1.0 * s.probes, 512, 64};
  if (s.kind == Kind::counting && s.rule == Counting::kLineRule)
    return {cells, 1, 1.0 * s.probes, 512.0 / s.cell_bits, 64.0 / s.cell_bits};
  return {cells, 1.0 * s.probes, 1, cells, cells};
}

// The variance of the number of keys, estimated from its cells, of a filter with n keys; and the covariance of two such
// estimates whose filters have n keys in common.
double covariance(const Throws& t, double n) noexcept {
  const double hit = t.hit(), one = std::log1p(-hit), count = n * t.per_key;
  const auto pair = [&](double either) { return std::expm1(count * (std::log1p(-either) - 2 * one)); };
  const double words = t.line_cells / t.word_cells, lines = t.cells / t.line_cells;
  double sum = pair(hit) + (t.cells - t.line_cells) * pair(2 * hit) + (t.word_cells - 1) * pair(2 * hit);
  if (words > 1) {
    const double both = t.set * (t.set - 1) / (words * (words - 1)) / (t.word_cells * t.word_cells) / lines;
    sum += (t.line_cells - t.word_cells) * pair(2 * hit - both);
  }
  const double scale = t.per_key * one;
  return std::max(0.0, sum / (t.cells * scale * scale));
}

double keys_from(const Throws& t, std::uint64_t unset) noexcept {
  return std::log(static_cast<double>(unset) / t.cells) / (t.per_key * std::log1p(-t.hit()));
}

std::uint64_t unset_in_bytes(const Shape& s, ConstBytes a, ConstBytes b) noexcept {
  std::uint64_t ones = 0;
  std::size_t i = 0;
  for (; i + 8 <= a.size(); i += 8)
    ones += static_cast<std::uint64_t>(std::popcount(load_le<std::uint64_t>(a.data() + i) | load_le<std::uint64_t>(b.data() + i)));
  for (; i < a.size(); ++i)
    ones += static_cast<std::uint64_t>(std::popcount(std::to_integer<unsigned>(a[i] | b[i])));
  const std::uint64_t bits = s.kind == Kind::blocked ? s.cells * Blocked::kLineBits : s.cells;
  return bits - std::min(bits, ones);
}

// Cells that are unset in both; counters: zero in both.
std::uint64_t unset(const Shape& s, ConstBytes a, ConstBytes b) noexcept {
  if (s.kind != Kind::counting) return unset_in_bytes(s, a, b);
  std::uint64_t count = 0;
  for (std::uint64_t cell = 0; cell < s.cells; ++cell)
    count += (Counting::value_at(s, a, cell) | Counting::value_at(s, b, cell)) == 0;
  return count;
}

// How many standard deviations to each side hold this share of a normal distribution.
double deviations(double confidence) noexcept {
  double low = 0, high = 40;
  for (int i = 0; i < 100; ++i) {
    const double middle = (low + high) / 2;
    (std::erf(middle / std::sqrt(2.0)) < confidence ? low : high) = middle;
  }
  return low;
}

struct Sizes {
  double a, b, either;
};

Estimate within(double value, double half_width, double least, double most) noexcept {
  const auto clamped = [&](double x) { return std::clamp(x, least, std::max(least, most)); };
  return {clamped(value), clamped(value - half_width), clamped(value + half_width)};
}

Comparison estimate(const Throws& t, const Sizes& n, double width) noexcept {
  const double most = 1e18, half_key = 0.5, smaller = std::min(n.a, n.b);
  const double both = std::clamp(n.a + n.b - n.either, 0.0, smaller), either = n.a + n.b - both;
  const double of_a = covariance(t, n.a), of_b = covariance(t, n.b);
  const double of_either = covariance(t, either), of_both = covariance(t, both);
  const auto interval = [&](double value, double variance, double limit) {
    return within(value, width * std::sqrt(std::max(0.0, variance)) + half_key, 0, limit);
  };
  Comparison result{.keys_a = interval(n.a, of_a, most),
                    .keys_b = interval(n.b, of_b, most),
                    .keys_in_either = interval(either, of_either, most),
                    .keys_in_both = {},
                    .jaccard = {}};
  result.keys_in_both = interval(both, of_either + 2 * of_both - of_a - of_b,
                                 std::min(result.keys_a.high, result.keys_b.high));
  if (either <= 0) return result;
  // jaccard + 1 is (a + b) / either: the variance of that quotient, to first order.
  const double ratio = (n.a + n.b) / either, of_sum = of_a + of_b + 2 * of_both;
  const double variance = (of_sum - 2 * ratio * (of_a + of_b) + ratio * ratio * of_either) / (either * either);
  result.jaccard = within(both / either, width * std::sqrt(std::max(0.0, variance)) + half_key / either, 0, 1);
  return result;
}

Estimate certain(double value) noexcept { return {value, value, value}; }

Result<Comparison> compare_exact(const Filter& a, const Filter& b) {
  struct Tally {
    const Filter& other;
    std::uint64_t held = 0;
  } tally{b};
  const auto count = [](void* context, std::span<const Hash> run) {
    Tally& t = *static_cast<Tally*>(context);
    for (const Hash h : run) t.held += t.other.may_contain(h);
  };
  if (auto visited = a.visit_fingerprints(count, &tally); !visited) return visited.error();
  const auto both = static_cast<double>(tally.held);
  const double in_a = *a.estimated_keys(), in_b = *b.estimated_keys(), either = in_a + in_b - both;
  return Comparison{certain(in_a), certain(in_b), certain(either), certain(both), certain(either > 0 ? both / either : 0)};
}

Error full_error(const char* which) {
  return {Errc::full, std::string("every bit of the ") + which + " filter is set: it may hold any number of keys"};
}

}  // namespace

Result<Comparison> compare(const Filter& a, const Filter& b, double confidence) {
  if (!(confidence > 0 && confidence < 1))
    return Error{Errc::invalid_argument, "confidence must be above 0 and below 1"};
  for (const Filter* filter : {&a, &b}) {
    if (filter->kind() == Kind::windowed)
      return Error{Errc::not_supported, "kind windowed cannot be compared: a key may be in several of its generations"};
    if (Filter::Rep::is_static(filter->kind()))
      return Error{Errc::not_supported, "kind " + std::string(name(filter->kind())) +
                                            " cannot be compared: a static filter does not show how many keys it shares"};
  }
  if (auto comparable = FilterAccess::check_comparable(a, b); !comparable) return comparable.error();
  if (a.kind() == Kind::exact) return compare_exact(a, b);
  const Segment &in_a = a.segments()[0], &in_b = b.segments()[0];
  const Shape& shape = in_a.shape;
  const std::uint64_t unset_a = unset(shape, in_a.bytes, in_a.bytes), unset_b = unset(shape, in_b.bytes, in_b.bytes);
  const std::uint64_t unset_either = unset(shape, in_a.bytes, in_b.bytes);
  if (unset_a == 0) return full_error("first");
  if (unset_b == 0) return full_error("second");
  if (unset_either == 0)
    return Error{Errc::full, "every bit is set in one of the filters: together they may hold any number of keys"};
  const Throws t = throws_of(shape);
  return estimate(t, {keys_from(t, unset_a), keys_from(t, unset_b), keys_from(t, unset_either)}, deviations(confidence));
}

}  // namespace bloomery
