// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cmath>
#include <cstdint>
#include <functional>
#include <random>
#include <vector>

#include "core/record/case_key.hpp"

namespace busbar::test {

/// Made-up round medians; the same on every run.
class Synthetic {
 public:
  explicit Synthetic(std::uint64_t seed) : engine_(seed) {}
  double uniform() { return (static_cast<double>(engine_() >> 11) + 0.5) * 0x1p-53; }
  double normal() { return std::sqrt(-2 * std::log(uniform())) * std::cos(6.283185307179586 * uniform()); }
  double lognormal(double sigma) { return std::exp(sigma * normal()); }
  std::vector<double> lognormals(std::size_t n, double sigma) {
    return series(n, [&] { return lognormal(sigma); });
  }
  /// n rounds at 1, a share of them `ratio` times slower, sigma inside each.
  std::vector<double> two_states(std::size_t n, double share, double ratio, double sigma) {
    return series(n, [&] { return (uniform() < share ? ratio : 1) * lognormal(sigma); });
  }
  /// Logarithms are an AR(1) process.
  std::vector<double> correlated(std::size_t n, double rho, double sigma) {
    double level = normal();
    return series(n, [&] {
      level = rho * level + std::sqrt(1 - rho * rho) * normal();
      return std::exp(sigma * level);
    });
  }
  static std::vector<double> series(std::size_t n, const std::function<double()>& draw) {
    std::vector<double> all;
    for (std::size_t i = 0; i < n; ++i) all.push_back(draw());
    return all;
  }

 private:
  std::mt19937_64 engine_;
};

/// The key of an allreduce over MPI: an fp32 sum in host memory, out of place.
inline CaseKey allreduce_key(std::uint64_t bytes, int ranks, int nodes) {
  return {.collective = "allreduce",
          .backend = "mpi",
          .memory = "host",
          .type = "fp32",
          .op = "sum",
          .bytes = bytes,
          .in_place = false,
          .ranks = ranks,
          .nodes = nodes,
          .ranks_per_node = ranks / nodes};
}

/// Share of trials in which `happens`.
inline double share_of(int trials, const std::function<bool()>& happens) {
  int count = 0;
  for (int t = 0; t < trials; ++t)
    if (happens()) ++count;
  return static_cast<double>(count) / trials;
}

}  // namespace busbar::test
