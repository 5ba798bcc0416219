// SPDX-License-Identifier: Apache-2.0
#include "reports/predict/simulated_ratio.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "core/statistics/distributions.hpp"

namespace busbar::predict {

std::optional<Ratio> ratio_of(const LogTimes& measured, const LogTimes& simulated, double spread, double confidence) {
  std::vector<double> logs;
  for (const auto& [scale, log_s] : measured)
    if (const auto at = simulated.find(scale); at != simulated.end()) logs.push_back(log_s - at->second);
  if (logs.empty()) return std::nullopt;
  const auto n = static_cast<double>(logs.size());
  Ratio r;
  for (const double x : logs) r.mean += x / n;
  double squares = 0;
  for (const double x : logs) squares += (x - r.mean) * (x - r.mean);
  const double tail = (1 - confidence) / 2;
  constexpr double normal = std::numeric_limits<double>::infinity();
  const double launches = upper_quantile(tail, normal) * spread * std::sqrt(1 + 1 / n);
  r.half_width = launches;
  if (logs.size() < 2) return r;
  const double scales = upper_quantile(tail, n - 1) * std::sqrt(squares / (n - 1) * (1 + 1 / n));
  r.half_width = std::max(launches, scales);
  return r;
}

}  // namespace busbar::predict
