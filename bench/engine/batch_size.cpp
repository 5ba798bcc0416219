// SPDX-License-Identifier: Apache-2.0
#include "bench/engine/batch_size.hpp"

#include <algorithm>

#include "core/statistics/summary.hpp"

namespace busbar {

int BatchSize::operator()(double cycle_s, std::uint64_t taken, int at_least) const {
  if (fixed) return static_cast<int>(std::min(share(), *fixed - std::min(taken, *fixed)));
  const double fit = cycle_s > 0 ? seconds / cycle_s : 0;
  const int odd =
      static_cast<int>(std::clamp(fit, static_cast<double>(std::max(least, at_least)), static_cast<double>(most))) | 1;
  return static_cast<int>(std::min(static_cast<std::uint64_t>(odd), limit - std::min(taken, limit)));
}

void BatchSize::fit(double left_s, double round_s, int rounds) {
  constexpr double longest_s = 0.01, shortest_s = 0.002;
  if (fixed || !(round_s > 0)) return;
  seconds = std::clamp(seconds * left_s / (rounds * round_s), shortest_s, longest_s);
  least = seconds < longest_s ? 1 : 3;
}

int BatchSize::warm_up(double cycle_s) const {
  const double limit_of_visit = fixed ? static_cast<double>(share()) : 1e6;
  return cycle_s > 0 ? static_cast<int>(std::clamp(seconds / 2 / cycle_s, 1.0, std::max(limit_of_visit, 1.0))) : 1;
}

double longest_cycle(std::uint64_t bytes, const SampleCycle& before) {
  constexpr double latency_s = 5e-4, bytes_a_second = 1e8, most_times = 5;
  const auto all = static_cast<double>(bytes);
  if (!(before.cycle_s > 0)) return latency_s + all / bytes_a_second;
  const double of_twice = all / (2 * std::max(1.0, static_cast<double>(before.bytes)));
  return most_times * before.cycle_s * std::max(1.0, of_twice);
}

int group_size(double call_s, double timer_s) {
  constexpr double near = 5, enough = 20;
  constexpr int most = 1024;
  if (call_s >= near * timer_s) return 1;
  int calls = 2;
  while (calls < most && calls * call_s < enough * timer_s) calls *= 2;
  return calls;
}

bool mostly_waits(std::vector<double> samples_s, double call_s) {
  constexpr double much = 5, shortest_wait_s = 1e-3, three_quarters = 75;
  if (samples_s.empty()) return false;
  std::ranges::sort(samples_s);
  return percentile(samples_s, three_quarters) > std::max(much * call_s, call_s + shortest_wait_s);
}

}  // namespace busbar
