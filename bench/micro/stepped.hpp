// SPDX-License-Identifier: Apache-2.0
// Quantiles of times from a clock with a coarse step, for the programs that busbar-bench is compared with. Shares no
// code with busbar on purpose.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <map>
#include <vector>

namespace micro {

using Clock = std::chrono::steady_clock;

inline double seconds(Clock::duration d) { return std::chrono::duration<double>(d).count(); }

/// Step of the clock in seconds: 1 ns, or the smallest distance between groups of times between reads (20, 21, 30, 31
/// ns on Zen with a 100 MHz counter: 10 ns).
inline double clock_step() {
  constexpr int reads = 20'000;
  std::map<long long, int> seen;  // ns between two reads -> count
  auto before = Clock::now();
  for (int i = 0; i < reads; ++i) {
    const auto now = Clock::now();
    ++seen[std::chrono::nanoseconds(now - before).count()];
    before = now;
  }
  std::erase_if(seen, [](const auto& s) { return s.second < reads / 100; });
  long long step = 0;
  long long group = -1;
  long long last = -1;
  for (const auto& [ns, count] : seen) {
    if (last >= 0 && ns <= last + 1) {
      last = ns;
      continue;
    }
    if (group >= 0 && (step == 0 || ns - group < step)) step = ns - group;
    group = last = ns;
  }
  return static_cast<double>(std::max(step, 1LL)) * 1e-9;
}

/// Quantile `q` of sorted times, each assumed uniform within half a step of its reading. The median equals Python's
/// statistics.median_grouped(sorted, step).
inline double stepped_quantile(const std::vector<double>& sorted, double q, double step) {
  const auto below = [&](double x) {  // number of times below x
    const auto first = std::lower_bound(sorted.begin(), sorted.end(), x - step / 2);
    const auto last = std::upper_bound(first, sorted.end(), x + step / 2);
    auto n = static_cast<double>(first - sorted.begin());
    for (auto t = first; t != last; ++t) n += (x - *t) / step + 0.5;
    return n;
  };
  double low = sorted.front() - step / 2;
  double high = sorted.back() + step / 2;
  for (int i = 0; i < 40 && high - low > step * 1e-4; ++i) {
    const double middle = (low + high) / 2;
    (below(middle) < q * static_cast<double>(sorted.size()) ? low : high) = middle;
  }
  return (low + high) / 2;
}

inline double stepped_median(std::vector<double> times, double step) {
  std::sort(times.begin(), times.end());
  return stepped_quantile(times, 0.5, step);
}

}  // namespace micro
