// A crawl over a generated web: every link found is asked "seen before?", and only fresh ones are queued.
// A Bloom filter answers; an exact set beside it counts how often the filter is wrong, and the program fails
// if that is not what the filter promises: never a page twice, and about the predicted number of pages missed.
#include <bloomery/filter.hpp>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <deque>
#include <string>
#include <unordered_set>

namespace {

constexpr std::uint64_t kPages = 200'000;
constexpr unsigned kLinksOnPage = 10;
constexpr double kFpr = 0.01;

std::string url_of(std::uint64_t page) {
  return "https://site-" + std::to_string(page % 997) + ".example/page/" + std::to_string(page);
}

// The i-th link on a page: half of the links lead anywhere, half to pages with low numbers, which are popular.
std::uint64_t link(std::uint64_t page, unsigned i) {
  const std::uint64_t random = bloomery::mix((page * kLinksOnPage + i + 1) * bloomery::kGolden);
  const std::uint64_t anywhere = bloomery::high64(random, kPages);
  return i % 2 == 0 ? anywhere : anywhere * anywhere / kPages * anywhere / kPages;
}

struct Tally {
  std::uint64_t links = 0, crawled = 0, missed = 0, twice = 0;
  double expected_missed = 0;  // the sum, over all new pages, of the rate at that moment
};

bloomery::Result<Tally> crawl(bloomery::Filter& seen) {
  std::unordered_set<std::uint64_t> truly_seen;
  std::deque<std::uint64_t> queue;
  Tally tally;
  double fpr_now = 0;
  const auto found = [&](std::uint64_t page) -> bloomery::Result<void> {
    ++tally.links;
    const bool new_page = truly_seen.insert(page).second;
    const auto inserted = seen.insert(url_of(page));
    if (!inserted) return inserted.error();
    const bool fresh = *inserted == bloomery::Inserted::fresh;
    if (fresh) queue.push_back(page);
    if (new_page && truly_seen.size() % 1000 == 0) fpr_now = seen.expected_fpr();
    if (new_page) tally.expected_missed += fpr_now;
    tally.missed += new_page && !fresh;
    tally.twice += !new_page && fresh;
    return {};
  };
  if (auto start = found(0); !start) return start.error();
  while (!queue.empty()) {
    const std::uint64_t page = queue.front();
    queue.pop_front();
    ++tally.crawled;
    for (unsigned i = 0; i < kLinksOnPage; ++i)
      if (auto next = found(link(page, i)); !next) return next.error();
  }
  return tally;
}

int fail(const bloomery::Error& error) {
  std::fprintf(stderr, "%s\n", error.message.c_str());
  return 1;
}

}  // namespace

int main() {
  auto seen = bloomery::Filter::create({.expected_keys = kPages, .fpr = kFpr});
  if (!seen) return fail(seen.error());
  const auto tally = crawl(*seen);
  if (!tally) return fail(tally.error());
  const double band = 5 * std::sqrt(tally->expected_missed);
  const bool kept = tally->twice == 0 && std::abs(static_cast<double>(tally->missed) - tally->expected_missed) <= band;
  std::printf("links followed   %llu\npages crawled    %llu\npages missed     %llu\nexpected missed  %.0f, give or take %.0f\n",
              static_cast<unsigned long long>(tally->links), static_cast<unsigned long long>(tally->crawled),
              static_cast<unsigned long long>(tally->missed), tally->expected_missed, band);
  std::printf("crawled twice    %llu\nfilter memory    %llu bytes\npromise          %s\n",
              static_cast<unsigned long long>(tally->twice), static_cast<unsigned long long>(seen->size_bytes()),
              kept ? "kept" : "BROKEN");
  return kept ? 0 : 1;
}
