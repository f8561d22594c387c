#include "report.hpp"

#include <fmt/format.h>
#include <fmt/ostream.h>

#include <algorithm>
#include <fstream>

namespace bench {
namespace {

std::string value_after(const char* file, const std::string& label) {
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);) {
    if (line.rfind(label, 0) != 0) continue;
    const auto colon = line.find_first_not_of(" \t:", label.size());
    return colon == std::string::npos ? "" : line.substr(colon);
  }
  return "?";
}

std::string first_line(const char* file) {
  std::ifstream in(file);
  std::string line;
  return std::getline(in, line) ? line : "?";
}

std::string label(const Scenario& s) {
  return fmt::format("{},{},{},{}", s.size.keys, s.size.bits_per_key, s.key_form, s.pages);
}

std::string joined(const std::vector<double>& values) {
  std::string text;
  for (const double v : values) text += fmt::format("{}{:.4g}", text.empty() ? "" : ";", v);
  return text;
}

std::string title(const Scenario& s) {
  return fmt::format("{} {}, {} bits per key, {} pages", short_count(s.size.keys), s.key_form, s.size.bits_per_key,
                     s.pages);
}

// "8.93 ±0.20 (1.06)": nanoseconds per key, half the interquartile range, ratio to the limit.
std::string cell(const Measurement* m) {
  if (m == nullptr) return "-";
  std::string text = fmt::format("{:.2f} ±{:.2f}", median(m->series.ns), interquartile_range(m->series.ns) / 2);
  if (!m->to_limit.empty() && m->series.contestant != kLimit) text += fmt::format(" ({:.2f})", median(m->to_limit));
  return text;
}

template <class T>
void add_new(std::vector<T>& list, const T& value) {
  if (std::find(list.begin(), list.end(), value) == list.end()) list.push_back(value);
}

void write_limits(const Results& results, std::ostream& out) {
  fmt::print(out,
             "## Physical limits\n\nNanoseconds per random 64-byte line, with the best prefetch variant of each.\n\n");
  fmt::print(out,
             "| buffer, MB | pages | threads | read | variant | read-modify-write | variant | read / write / past the "
             "caches, in order, GB/s |\n");
  fmt::print(out, "|---|---|---|---|---|---|---|---|\n");
  for (const LimitFacts& l : results.limits) {
    const std::string in_order = l.bandwidth.read == 0 ? "-"
                                                       : fmt::format("{:.1f} / {:.1f} / {:.1f}", l.bandwidth.read,
                                                                     l.bandwidth.write, l.bandwidth.stream);
    fmt::print(out, "| {:.3f} | {} | {} | {:.2f} | {} | {:.2f} | {} | {} |\n", static_cast<double>(l.size_bytes) / 1e6,
               l.pages, l.threads, l.read_ns, l.read_variant, l.modify_ns, l.modify_variant, in_order);
  }
  fmt::print(out, "\n");
}

void write_facts(const Facts* f, std::ostream& out) {
  if (f == nullptr)
    fmt::print(out, " - | - | - |");
  else
    fmt::print(out, " {:.4g} | {:.3f} | {:.0f}% |", f->fpr, f->bits_per_key, 100 * f->huge_share);
}

void write_limit_of(const Results& results, const Scenario& scenario, std::ostream& out) {
  std::string text;
  for (const Measurement& m : results.measurements)
    if (same(m.scenario, scenario) && m.series.contestant == kLimit)
      text += fmt::format("{} {} {}", text.empty() ? "" : ";", m.series.operation, cell(&m));
  if (!text.empty()) fmt::print(out, "\nThe limit:{} ns per random line.\n", text);
}

void write_scenario(const Results& results, const Scenario& scenario, std::ostream& out) {
  std::vector<std::string> contestants, operations;
  for (const Measurement& m : results.measurements) {
    if (!same(m.scenario, scenario) || m.series.contestant == kLimit) continue;
    add_new(contestants, m.series.contestant);
    add_new(operations, m.series.operation);
  }
  const bool facts = std::any_of(results.facts.begin(), results.facts.end(),
                                 [&](const Facts& f) { return same(f.scenario, scenario); });
  fmt::print(out, "## {}\n\n| |", title(scenario));
  for (const std::string& operation : operations) fmt::print(out, " {} |", operation);
  fmt::print(out, "{}\n|---|", facts ? " FPR | bits per key | on huge pages |" : "");
  for (std::size_t i = 0; i < operations.size() + (facts ? 3 : 0); ++i) fmt::print(out, "---|");
  for (const std::string& contestant : contestants) {
    fmt::print(out, "\n| {} |", contestant);
    for (const std::string& operation : operations)
      fmt::print(out, " {} |", cell(results.find(scenario, contestant, operation)));
    if (facts) write_facts(results.find_facts(scenario, contestant), out);
  }
  fmt::print(out, "\n");
  write_limit_of(results, scenario, out);
  fmt::print(out, "\n");
}

}  // namespace

std::string short_count(std::uint64_t count) {
  constexpr std::pair<std::uint64_t, const char*> kUnits[] = {{1'000'000'000, "G"}, {1'000'000, "M"}, {1'000, "k"}};
  for (const auto& [unit, letter] : kUnits)
    if (count >= unit) return fmt::format("{:g} {}", static_cast<double>(count) / static_cast<double>(unit), letter);
  return fmt::format("{}", count);
}

std::string describe_machine() {
  return fmt::format("{}, cache {}, memory {}, transparent huge pages {}, {} {}; limits measured with {} lines",
                     value_after("/proc/cpuinfo", "model name"), value_after("/proc/cpuinfo", "cache size"),
                     value_after("/proc/meminfo", "MemTotal"),
                     first_line("/sys/kernel/mm/transparent_hugepage/enabled"),
#if defined(__clang__)
                     "clang",
#else
                     "gcc",
#endif
                     __VERSION__, best_walker().name);
}

void write_csv(const Results& results, std::ostream& out) {
  fmt::print(out,
             "keys,bits_per_key,key_form,pages,contestant,quantity,unit,median,iqr,ratio_to_limit,ratio_iqr,rounds\n");
  for (const Measurement& m : results.measurements) {
    fmt::print(out, "{},\"{}\",\"{}\",ns,{:.4g},{:.3g},", label(m.scenario), m.series.contestant, m.series.operation,
               median(m.series.ns), interquartile_range(m.series.ns));
    if (m.to_limit.empty())
      fmt::print(out, ",,");
    else
      fmt::print(out, "{:.4g},{:.3g},", median(m.to_limit), interquartile_range(m.to_limit));
    fmt::print(out, "{}\n", joined(m.series.ns));
  }
  for (const Facts& f : results.facts) {
    fmt::print(out, "{},\"{}\",fpr,share,{:.6g},,,,\n", label(f.scenario), f.contestant, f.fpr);
    fmt::print(out, "{},\"{}\",fpr probes,count,{:.0f},,,,\n", label(f.scenario), f.contestant, f.fpr_probes);
    fmt::print(out, "{},\"{}\",true bits per key,bits,{:.6g},,,,\n", label(f.scenario), f.contestant, f.bits_per_key);
    fmt::print(out, "{},\"{}\",on huge pages,share,{:.3g},,,,\n", label(f.scenario), f.contestant, f.huge_share);
  }
  for (const LimitFacts& l : results.limits) {
    const auto line = [&](const char* quantity, const std::string& variant, const char* unit, double value) {
      fmt::print(out, ",,,{},\"limit of {} bytes, {} threads\",\"{} {}\",{},{:.4g},,,,\n", l.pages, l.size_bytes,
                 l.threads, quantity, variant, unit, value);
    };
    line("read", l.read_variant, "ns", l.read_ns);
    line("modify", l.modify_variant, "ns", l.modify_ns);
    if (l.bandwidth.read == 0) continue;
    line("read in order", "", "GB/s", l.bandwidth.read);
    line("write in order", "", "GB/s", l.bandwidth.write);
    line("write in order", "past the caches", "GB/s", l.bandwidth.stream);
  }
}

void write_markdown(const Results& results, std::ostream& out) {
  fmt::print(out, "{}\n\n", describe_machine());
  fmt::print(out,
             "Nanoseconds per key: median of the rounds ± half their interquartile range (ratio to the limit for this "
             "work and this size, median of the ratios within each round).\n\n");
  if (!results.limits.empty()) write_limits(results, out);
  std::vector<Scenario> scenarios;
  for (const Measurement& m : results.measurements) {
    const bool known =
        std::any_of(scenarios.begin(), scenarios.end(), [&](const Scenario& s) { return same(s, m.scenario); });
    if (!known) scenarios.push_back(m.scenario);
  }
  for (const Scenario& scenario : scenarios) write_scenario(results, scenario, out);
}

}  // namespace bench
