// SPDX-License-Identifier: Apache-2.0
#include "core/statistics/round.hpp"

#include <cmath>
#include <vector>

#include "core/statistics/summary.hpp"

namespace busbar {

std::optional<PacedTime> paced_time(std::span<const Round> rounds) {
  constexpr double trimmed = 0.2;
  std::vector<double> time, pace;
  for (const Round& r : rounds) {
    if (!r.pace_s || !(*r.pace_s > 0) || !(r.median_s > 0)) return std::nullopt;
    time.push_back(std::log(r.median_s));
    pace.push_back(std::log(*r.pace_s));
  }
  if (time.empty()) return std::nullopt;
  return PacedTime{.time_s = std::exp(trimmed_mean(std::move(time), trimmed)),
                   .pace_s = std::exp(trimmed_mean(std::move(pace), trimmed))};
}

}  // namespace busbar
