// SPDX-License-Identifier: Apache-2.0
#include "core/statistics/binomial.hpp"

#include <cmath>

namespace busbar {

// Computes each term from the previous one, as a logarithm: the first may be too small for a double. (std::lgamma would
// write to a global.)
double binomial_at_least(std::size_t k, std::size_t n, double p) {
  double total = 0, log_term = static_cast<double>(n) * std::log1p(-p);
  for (std::size_t i = 0; i <= n; ++i) {
    if (i >= k) total += std::exp(log_term);
    log_term += std::log(static_cast<double>(n - i) / static_cast<double>(i + 1) * p / (1 - p));
  }
  return total;
}

}  // namespace busbar
