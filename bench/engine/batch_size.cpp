// SPDX-License-Identifier: Apache-2.0
#include "bench/engine/batch_size.hpp"

#include <algorithm>

namespace busbar {

int BatchSize::operator()(double cycle_s, std::uint64_t taken) const {
  if (fixed) {
    const std::uint64_t share = (*fixed + fixed_visits - 1) / fixed_visits;
    return static_cast<int>(std::min(share, *fixed - std::min(taken, *fixed)));
  }
  const double fit = cycle_s > 0 ? seconds / cycle_s : 0;
  const int odd = static_cast<int>(std::clamp(fit, static_cast<double>(least), static_cast<double>(most))) | 1;
  return static_cast<int>(std::min(static_cast<std::uint64_t>(odd), limit - std::min(taken, limit)));
}

int group_size(double call_s, double timer_s) {
  constexpr double near = 5, enough = 20;
  constexpr int most = 1024;
  if (call_s >= near * timer_s) return 1;
  int calls = 2;
  while (calls < most && calls * call_s < enough * timer_s) calls *= 2;
  return calls;
}

int warm_up_calls(double cycle_s) {
  constexpr double seconds = 0.5e-3, most = 1000;
  return cycle_s > 0 ? static_cast<int>(std::clamp(seconds / cycle_s, 1.0, most)) : 1;
}

}  // namespace busbar
