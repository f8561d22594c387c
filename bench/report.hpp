// Results as CSV, and as Markdown for people.
#pragma once
#include <ostream>

#include "results.hpp"

namespace bench {

// What was measured where: processor, caches, memory, pages, compiler. No names of machines.
std::string describe_machine();

// One line per quantity: its median, interquartile range, ratio to the limit, and what each round gave.
void write_csv(const Results& results, std::ostream& out);

void write_markdown(const Results& results, std::ostream& out);

// "20 M", "100 k", "1 G"
std::string short_count(std::uint64_t count);

}  // namespace bench
