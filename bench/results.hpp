// What a run measured.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "contestant.hpp"
#include "harness.hpp"
#include "limits/limit.hpp"

namespace bench {

struct Scenario {
  Size size;
  std::string key_form = "hashes";  // or "URLs"
  std::string pages = "2M";         // or "4K"
};

struct Measurement {
  Scenario scenario;
  Series series;
  std::vector<double> to_limit;  // round by round, over the limit for this kind of work; empty: no such limit
};

struct Facts {
  Scenario scenario;
  std::string contestant;
  double bits_per_key = 0;  // true ones
  double fpr = 0;           // measured
  double fpr_probes = 0;
  double huge_share = 0;  // of the filter's bytes
};

struct LimitFacts {
  std::uint64_t size_bytes = 0;
  std::string pages;
  unsigned threads = 1;
  std::string read_variant, modify_variant;
  double read_ns = 0, modify_ns = 0;
  Limit::Bandwidth bandwidth;  // one thread, huge pages only; else zeros
};

struct Results {
  std::vector<Measurement> measurements;
  std::vector<Facts> facts;
  std::vector<LimitFacts> limits;

  const Measurement* find(const Scenario& scenario, std::string_view contestant, std::string_view operation) const;
  const Facts* find_facts(const Scenario& scenario, std::string_view contestant) const;
};

bool same(const Scenario& a, const Scenario& b);

inline constexpr const char* kLimit = "limit";

}  // namespace bench
