// Between which bounds a rate lies, of which a sample was counted.
#pragma once

namespace cli::experiment {

struct Interval {
  double low = 0;
  double high = 1;
  bool holds(double rate) const noexcept { return low <= rate && rate <= high; }
};

// I_x(a, b), the share of the Beta(a, b) distribution below x. REQUIRES: a, b > 0; 0 <= x <= 1.
// Source: the continued fraction of DLMF 8.17.22, evaluated by Lentz's method.
double incomplete_beta(double x, double a, double b) noexcept;

// Clopper and Pearson's: misses the true rate with chance `error` at most, whatever it is. `hits` and `trials` need
// not be whole: for trials that depend on each other both are what as many independent ones would have given.
// REQUIRES: 0 <= hits <= trials, trials > 0, 0 < error < 1.
Interval clopper_pearson(double hits, double trials, double error) noexcept;

}  // namespace cli::experiment
