// SPDX-License-Identifier: Apache-2.0
#include "bench/engine/stop_rule.hpp"

#include <algorithm>

namespace busbar {

int StopRule::next_batch(int taken, double elapsed_s) const {
  if (taken < min_samples) return min_samples - taken;
  const int left = max_samples - taken;
  const double left_s = budget_s - elapsed_s;
  if (left <= 0 || left_s <= 0) return 0;
  const double affordable = left_s * taken / std::max(elapsed_s, 1e-9);
  return std::clamp(static_cast<int>(std::min<double>(affordable, taken)), 1, left);  // at most double at once
}

std::string_view StopRule::ended_by(int taken) const {
  if (min_samples == max_samples) return "count";
  return taken >= max_samples ? "max_samples" : "time_budget";
}

}  // namespace busbar
