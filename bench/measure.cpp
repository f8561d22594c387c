#include "measure.hpp"

#include <cstdio>
#include <thread>

#include "timing.hpp"

namespace bench {
namespace {

template <class Key>
class Session {
 public:
  using Keys = std::span<const Key>;

  Session(const Scenario& scenario, Contestants<Key> contestants, const Effort& effort, Results& results)
      : scenario_(scenario),
        contestants_(std::move(contestants)),
        effort_(effort),
        results_(results),
        sets_(scenario.size.keys, effort.probes),
        lines_(effort.probes, [](std::uint64_t i) { return (std::uint64_t{6} << 48) + i; }),
        limit_(static_cast<std::uint64_t>(static_cast<double>(scenario.size.keys) * scenario.size.bits_per_key / 8),
               scenario.pages == "2M" ? PageSize::huge : PageSize::small, lines_.keys(), effort.limit_repeats) {}

  void run() {
    insert();
    insert_singles();
    build();
    fill_the_empty();
    check_members();
    look_up();
    state_facts();
  }

 private:
  void add(const Contestant<Key>& c, const char* operation, std::function<double(unsigned)> turn) {
    tasks_.push_back({c.name, operation, std::move(turn)});
  }

  // Runs the tasks gathered, with the limit for their kind of work as one more.
  void run_phase(const char* limit_operation, std::function<double(unsigned)> limit_turn) {
    if (tasks_.empty()) return;
    tasks_.insert(tasks_.begin(), {kLimit, limit_operation, std::move(limit_turn)});
    const auto series = run_rounds(tasks_, effort_.rounds);
    for (const Series& s : series) results_.measurements.push_back({scenario_, s, ratios(s, series.front())});
    tasks_.clear();
  }

  std::function<double(unsigned)> modify_turn() {
    return steady_turn(lines_.keys(), effort_.task_seconds, [this](Words keys) { limit_.modify(keys); });
  }

  void insert() {
    for (auto& c : contestants_)
      if (c.insert) add(c, "insert", filling(c, c.insert));
    run_phase("modify", modify_turn());
  }

  void insert_singles() {
    for (auto& c : contestants_)
      if (c.insert_singles && effort_.singles) add(c, "insert single", filling(c, c.insert_singles));
    run_phase("modify (single)", modify_turn());
  }

  std::function<double(unsigned)> filling(Contestant<Key>& c, std::function<void(Keys)> function) {
    const FillTurns turns = {effort_.rounds, effort_.task_seconds};
    return turns(sets_.members.keys(), c.clear, [function](Keys keys) { in_batches(keys, function); });
  }

  void build() {
    const Keys members = sets_.members.keys();
    for (auto& c : contestants_) {
      for (auto& [operation, function] : c.builds) {
        // Who can be emptied is emptied first, and not timed: as for insert.
        const auto clear = c.insert ? c.clear : [] {};
        const auto turn = [members, function, clear](unsigned) {
          clear();
          return cpu_seconds([&] { function(members); }) * 1e9 / static_cast<double>(members.size());
        };
        turn(0);  // what is prepared once is prepared now
        add(c, operation.c_str(), turn);
      }
    }
    run_phase("modify (build)", modify_turn());
  }

  void fill_the_empty() {
    for (auto& c : contestants_)
      if (!c.insert && c.builds.contains("build")) c.builds["build"](sets_.members.keys());
  }

  void check_members() {
    std::array<bool, kBatch> out;
    for (auto& c : contestants_) {
      std::uint64_t found = 0;
      in_batches(sets_.members.keys(), [&](Keys keys) { found += c.lookup(keys, out.data()); });
      if (found == sets_.members.keys().size()) continue;
      std::fprintf(stderr, "bench: %s forgot %llu keys\n", c.name.c_str(),
                   static_cast<unsigned long long>(sets_.members.keys().size() - found));
      die("a filter with false negatives is no filter");
    }
  }

  void look_up() {
    const std::pair<const char*, Keys> sets[] = {
        {"miss", sets_.misses.keys()}, {"hit", sets_.hits.keys()}, {"mixed", sets_.mixed.keys()}};
    for (auto& c : contestants_) {
      for (const auto& [operation, keys] : sets) {
        add(c, operation, steady_turn(keys, effort_.task_seconds, [&c, this](Keys part) {
              in_batches(part, [&](Keys batch) { c.lookup(batch, out_.data()); });
            }));
        if (c.lookup_singles && effort_.singles)
          add(c, (std::string("single ") + operation).c_str(),
              steady_turn(keys, effort_.task_seconds, [&c](Keys part) { in_batches(part, c.lookup_singles); }));
      }
    }
    run_phase("read", steady_turn(lines_.keys(), effort_.task_seconds, [this](Words keys) { limit_.read(keys); }));
  }

  void state_facts() {
    const std::uint64_t run = std::min<std::uint64_t>(1 << 18, effort_.fpr_probes);
    std::vector<std::uint64_t> maybes(contestants_.size());
    std::uint64_t probes = 0;
    for (; probes < effort_.fpr_probes; probes += run) {
      const KeyArray<Key> strangers(run, [=](std::uint64_t i) { return stranger(probes + i); });
      for (std::size_t i = 0; i < contestants_.size(); ++i)
        in_batches(strangers.keys(), [&](Keys keys) { maybes[i] += contestants_[i].lookup(keys, out_.data()); });
    }
    for (std::size_t i = 0; i < contestants_.size(); ++i) {
      const auto& c = contestants_[i];
      const double true_bits = static_cast<double>(c.size_bits) / static_cast<double>(scenario_.size.keys);
      const double total = static_cast<double>(probes);
      results_.facts.push_back(
          {scenario_, c.name, true_bits, static_cast<double>(maybes[i]) / total, total, huge_share(c.bytes())});
    }
  }

  Scenario scenario_;
  Contestants<Key> contestants_;
  Effort effort_;
  Results& results_;
  KeySets<Key> sets_;
  KeyArray<std::uint64_t> lines_;  // which lines the limit visits
  Limit limit_;
  std::vector<Task> tasks_;
  std::array<bool, kBatch> out_;
};

// Nanoseconds per key when `threads` walk at once, each over its part of the keys.
template <class Work>
double in_threads(unsigned threads, Words keys, Work work) {
  const auto seconds = threads == 1 ? cpu_seconds : wall_seconds;
  const double took = seconds([&] {
    std::vector<std::thread> others;
    const std::size_t part = keys.size() / threads;
    for (unsigned t = 1; t < threads; ++t) others.emplace_back([=] { work(keys.subspan(t * part, part)); });
    work(keys.first(part));
    for (std::thread& thread : others) thread.join();
  });
  return took * 1e9 / static_cast<double>(keys.size());
}

double median_of(unsigned repeats, const std::function<double()>& measured) {
  std::vector<double> values(repeats);
  std::generate(values.begin(), values.end(), measured);
  return median(values);
}

}  // namespace

template <class Key>
void measure(const Scenario& scenario, Contestants<Key> contestants, const Effort& effort, Results& results) {
  std::make_unique<Session<Key>>(scenario, std::move(contestants), effort, results)->run();
}

void measure_limits(std::uint64_t size_bytes, const Effort& effort, Results& results) {
  const KeyArray<std::uint64_t> lines(effort.probes, [](std::uint64_t i) { return (std::uint64_t{6} << 48) + i; });
  for (const PageSize page_size : {PageSize::huge, PageSize::small}) {
    Limit limit(size_bytes, page_size, lines.keys(), effort.limit_repeats);
    for (const unsigned threads : {1u, 2u}) {
      LimitFacts facts = {size_bytes,
                          page_size == PageSize::huge ? "2M" : "4K",
                          threads,
                          limit.best_read().name,
                          limit.best_modify().name,
                          0,
                          0,
                          {}};
      facts.read_ns = median_of(effort.limit_repeats, [&] {
        return in_threads(threads, lines.keys(), [&](Words keys) { limit.read(keys); });
      });
      facts.modify_ns = median_of(effort.limit_repeats, [&] {
        return in_threads(threads, lines.keys(), [&](Words keys) { limit.modify(keys); });
      });
      if (page_size == PageSize::huge && threads == 1) facts.bandwidth = limit.bandwidth();
      results.limits.push_back(facts);
    }
  }
}

template void measure(const Scenario&, Contestants<std::uint64_t>, const Effort&, Results&);
template void measure(const Scenario&, Contestants<std::string_view>, const Effort&, Results&);

}  // namespace bench
