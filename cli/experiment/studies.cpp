#include "cli/experiment/study.hpp"

namespace cli::experiment {

std::vector<StudyKind> studies() {
  return {{"article", "the article's scenarios, run by run", article_study},
          {"small", "the article's finding about few items", small_study},
          {"hashes", "the article's finding about 4 and 7 hashes", hashes_study},
          {"rates", "measured against predicted rates of every kind", rates_study},
          {"practice", "always 3 or 4 hashes, against the best number", practice_study},
          {"claim", "a rate that was better than theory", claim_study},
          {"time", "time against size and hashes", time_study}};
}

}  // namespace cli::experiment
