// SPDX-License-Identifier: Apache-2.0
#include "workloads/peak.hpp"

#include <algorithm>
#include <numeric>
#include <thread>
#include <vector>

#include "core/local_clock.hpp"
#include "core/machine/work.hpp"
#include "workloads/peak/loop.hpp"

namespace busbar {

namespace {

double best_of_thread(const peak::Kernel& kernel, double seconds) {
  constexpr std::int64_t rounds = 200'000;  // about a millisecond
  double best = 0;
  const std::int64_t end = steady_ns() + static_cast<std::int64_t>(seconds * 1e9);
  do {
    const std::int64_t begin = steady_ns();
    keep(static_cast<std::uint64_t>(kernel.run(rounds)));
    const double took_s = static_cast<double>(std::max<std::int64_t>(steady_ns() - begin, 1)) * 1e-9;
    best = std::max(best, kernel.flop_per_round * rounds / took_s);
  } while (steady_ns() < end);
  return best;
}

}  // namespace

Peak measure_peak(double seconds, int threads) {
  const peak::Kernel kernel = peak::best();
  std::vector<double> best(static_cast<std::size_t>(threads));
  {
    std::vector<std::jthread> others;
    for (std::size_t t = 1; t < best.size(); ++t)
      others.emplace_back([&, t] { best[t] = best_of_thread(kernel, seconds); });
    best[0] = best_of_thread(kernel, seconds);
  }
  return {.instructions = kernel.instructions, .flop_per_s = std::accumulate(best.begin(), best.end(), 0.0)};
}

}  // namespace busbar
