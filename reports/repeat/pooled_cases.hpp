// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/record/fwd.hpp"
#include "core/statistics/interval.hpp"

namespace busbar::repeat {

/// One case over all launches of a command. The unit is the launch: its samples and rounds describe only that launch
/// (S. Hunold, A. Carpen-Amarie, IEEE TPDS 27(12), 2016).
struct PooledCase {
  std::string series, name;     ///< its block of the table (table_series()), and its size or ranks
  std::vector<double> times_s;  ///< one per launch, in launch order
  double time_s = 0;            ///< median over launches
  std::optional<Interval>
      interval;                  ///< 95 % interval of that median, s: median_of_figures_interval(); empty: one launch
  std::optional<double> spread;  ///< launch-to-launch variation: spread_of_logs(), 0.02 is 2 %; empty: one launch
  std::optional<double> within;  ///< median over launches of the relative half-width within a launch
  std::optional<double> algbw_GBps, busbw_GBps;
};

/// Pools the launches of one command, in order of first appearance of a case. Skips cases without a time.
[[nodiscard]] std::vector<PooledCase> pool_cases(std::span<const Run* const> launches);

/// The largest relative half-width among cases; empty if a case has no interval.
[[nodiscard]] std::optional<double> widest(std::span<const PooledCase>);

}  // namespace busbar::repeat
