#include "limits/limit.hpp"

#include <algorithm>
#include <cmath>

#include "harness.hpp"

namespace bench {
namespace {

std::vector<Limit::Variant> variants(std::initializer_list<std::pair<const char*, Hint>> hints) {
  std::vector<Limit::Variant> result = {{"no prefetch", Hint::none, 0, 0}};
  for (const auto& [name, hint] : hints)
    for (const std::size_t distance : {16u, 32u, 48u, 64u, 96u})
      result.push_back({std::string(name) + " " + std::to_string(distance), hint, distance, 0});
  return result;
}

// What is added up here could be looked at: so no walk is optimised away.
volatile std::uint64_t g_sink;

}  // namespace

const Walker& best_walker() {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512f")) return kAvx512Walker;
  if (__builtin_cpu_supports("avx2")) return kAvx2Walker;
#endif
  return kPlainWalker;
}

template <class Measure>
std::vector<Limit::Variant> Limit::rank(std::vector<Variant> candidates, unsigned repeats, Measure measure) const {
  std::vector<Task> tasks;
  for (const Variant& variant : candidates)
    tasks.push_back({variant.name, "", [&variant, measure](unsigned) { return measure(variant); }});
  const auto series = run_rounds(tasks, repeats);
  for (std::size_t i = 0; i < candidates.size(); ++i)
    candidates[i].ns = *std::min_element(series[i].ns.begin(), series[i].ns.end());
  std::stable_sort(candidates.begin(), candidates.end(), [](const auto& a, const auto& b) { return a.ns < b.ns; });
  return candidates;
}

Limit::Limit(std::uint64_t size_bytes, PageSize page_size, Words keys, unsigned repeats)
    : buffer_(std::max<std::uint64_t>(64, size_bytes / 64 * 64), page_size),
      start_(buffer_.data()),
      walker_(best_walker()) {
  const double count = static_cast<double>(keys.size());
  reads_ = rank(variants({{"t0", Hint::t0}, {"t1", Hint::t1}, {"nta", Hint::nta}}), repeats, [&](const Variant& v) {
    return 1e9 / count * cpu_seconds([&] { g_sink = walker_.read(walk(v), v.hint, keys.data(), keys.size()); });
  });
  modifies_ =
      rank(variants({{"t0", Hint::t0}, {"t1", Hint::t1}, {"nta", Hint::nta}, {"w", Hint::write}}), repeats,
           [&](const Variant& v) {
             return 1e9 / count * cpu_seconds([&] { walker_.modify(walk(v), v.hint, keys.data(), keys.size()); });
           });
}

Limit::Bandwidth Limit::bandwidth() const {
  const Walk all = walk({});
  const double bytes = static_cast<double>(all.lines) * 64;
  const auto passes = static_cast<unsigned>(std::max(1.0, std::ceil(2e8 / bytes)));
  const auto best_of = [&](const std::function<void()>& pass) {
    double best = 0;
    for (int repeat = 0; repeat < 5; ++repeat) {
      const double took = cpu_seconds([&] {
        for (unsigned i = 0; i < passes; ++i) pass();
      });
      best = std::max(best, bytes * passes / took / 1e9);
    }
    return best;
  };
  return {best_of([&] { g_sink = walker_.read_in_order(all); }), best_of([&] { walker_.write_in_order(all); }),
          best_of([&] { walker_.stream_in_order(all); })};
}

}  // namespace bench
