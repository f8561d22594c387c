#include "results.hpp"

namespace bench {

bool same(const Scenario& a, const Scenario& b) {
  return a.size.keys == b.size.keys && a.size.bits_per_key == b.size.bits_per_key && a.key_form == b.key_form &&
         a.pages == b.pages;
}

const Measurement* Results::find(const Scenario& scenario, std::string_view contestant,
                                 std::string_view operation) const {
  for (const Measurement& m : measurements)
    if (same(m.scenario, scenario) && m.series.contestant == contestant && m.series.operation == operation) return &m;
  return nullptr;
}

const Facts* Results::find_facts(const Scenario& scenario, std::string_view contestant) const {
  for (const Facts& f : facts)
    if (same(f.scenario, scenario) && f.contestant == contestant) return &f;
  return nullptr;
}

}  // namespace bench
