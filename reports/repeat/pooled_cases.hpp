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
  std::vector<double> times_s;  ///< one per launch that counts, in launch order
  double time_s = 0;            ///< median over them
  std::optional<Interval>
      interval;                  ///< 95 % interval of that median, s: median_of_figures_interval(); empty: one launch
  std::optional<double> spread;  ///< launch-to-launch variation: spread_of_logs(), 0.02 is 2 %; empty: one launch
  std::optional<double> algbw_GBps, busbw_GBps;
  std::size_t rounds = 0;                 ///< undisturbed rounds
  std::size_t disturbed = 0;              ///< the others: slowed, far or both
  std::size_t slowed = 0;                 ///< rounds with slow CPUs (Undisturbed::is_slowed())
  std::size_t far = 0;                    ///< rounds with distant CPUs (Undisturbed::is_far())
  std::optional<double> disturbed_ratio;  ///< median time of disturbed rounds over that of the others; empty: none
  bool as_measured = false;               ///< all rounds count: too few are undisturbed, or the others do not differ
};

/// Pools the launches of one command, in the order of the plan. Skips cases without a time. The time of a launch is the
/// median over its undisturbed rounds (Undisturbed, over all launches and cases with the same ranks); a launch without
/// one does not count. All launches count as measured if fewer than half have one, if the undisturbed state is not
/// usual (Undisturbed::is_usual()), or if the calls of disturbed rounds took less than 1.1 times as long, in the median
/// over the cases with the same ranks.
[[nodiscard]] std::vector<PooledCase> pool_cases(std::span<const Run* const> launches);

/// The largest relative half-width among cases; empty if a case has no interval.
[[nodiscard]] std::optional<double> widest(std::span<const PooledCase>);

}  // namespace busbar::repeat
