// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/record/fwd.hpp"
#include "core/statistics/interval.hpp"

namespace busbar::repeat {

/// One case over all launches of one command. The launch is the unit: what its samples and rounds say holds for that
/// launch only (S. Hunold, A. Carpen-Amarie, IEEE TPDS 27(12), 2016).
struct PooledCase {
  std::string series, name;     ///< the block of the table that it belongs to (table_series()), and its size or ranks
  std::vector<double> times_s;  ///< a launch each, in their order
  double time_s = 0;            ///< median over launches
  std::optional<Interval>
      interval;                  ///< of that median, in seconds, 95 %: median_of_figures_interval(); empty: one launch
  std::optional<double> spread;  ///< between launches: spread_of_logs(), 0.02 is 2 %; empty: one launch
  std::optional<double> within;  ///< median over launches of the relative half width of their own intervals
  std::optional<double> algbw_GBps, busbw_GBps;
};

/// Of the launches of one command, in the order of the first's cases. Cases without a time are left out.
[[nodiscard]] std::vector<PooledCase> pool_cases(std::span<const Run* const> launches);

/// The largest relative half width of the cases' intervals; empty where a case has none.
[[nodiscard]] std::optional<double> widest(std::span<const PooledCase>);

}  // namespace busbar::repeat
