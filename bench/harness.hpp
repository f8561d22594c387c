// Timing: every contestant runs once in every round, in an order that rotates, and contestants are compared within
// rounds. So whatever slows the machine for a while slows all of them.
#pragma once
#include <functional>
#include <string>
#include <vector>

namespace bench {

struct Task {
  std::string contestant;
  std::string operation;
  std::function<double(unsigned round)> run;  // does the work and returns nanoseconds per key
};

struct Series {
  std::string contestant;
  std::string operation;
  std::vector<double> ns;  // of each round
};

// Runs each task once in each of `rounds` rounds. Tasks that want a warm-up do it themselves.
std::vector<Series> run_rounds(const std::vector<Task>& tasks, unsigned rounds);

double median(std::vector<double> values);
double interquartile_range(std::vector<double> values);
// Round by round a/b. REQUIRES: series of one run_rounds().
std::vector<double> ratios(const Series& a, const Series& b);

// Seconds that work() takes by the clock on the wall.
double wall_seconds(const std::function<void()>& work);
// Seconds of processor time that work() costs this process, in all its threads: what other programs do meanwhile is
// not counted.
double cpu_seconds(const std::function<void()>& work);

}  // namespace bench
