// Which kind of filter for which needs: what `plan` recommends, and the table of the README.
#pragma once
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "cli/planning.hpp"
#include "cli/report.hpp"

namespace cli {

struct Needs {
  bool deletes = false;       // keys are taken out again
  bool fixed = false;         // all keys are known, and none will be added
  bool unknown_size = false;  // nobody knows how many keys will come
  bool mergeable = false;     // filters are made in several places and put together
  bool hostile = false;       // keys come from people who gain by a wrong answer
  bool window = false;        // of a stream, only the last keys matter
  bool any() const noexcept { return deletes || fixed || unknown_size || mergeable || hostile || window; }
};

struct Candidate {
  Column column;
  double build_ns = 0;    // for each key
  std::string obstacle;   // why it does not do; empty: it does
};

struct Advice {
  std::vector<Candidate> candidates;  // all kinds
  std::size_t best = 0;
  std::string reason;                 // one sentence
  std::string command;                // that makes it
  const Candidate& chosen() const noexcept { return candidates[best]; }
};

// REQUIRES: keys and fpr. Errors: Failure, for needs that no kind meets together, naming them.
Advice advise(const Needs& needs, std::uint64_t keys, double fpr);

std::string text_advice(const Advice& advice);
Json json_advice(const Advice& advice);

// The README's table, in Markdown: what is recommended for each need, for 10 M keys at 1%.
std::string chooser();

}  // namespace cli
