// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/record/case_key.hpp"
#include "core/record/case_record.hpp"
#include "core/record/fwd.hpp"
#include "core/statistics/interval.hpp"

/// Time as a function of size, and anomalies of its shape.
///
/// A smooth curve is time = latency + size / bandwidth. In log-log axes it is convex: each point is on or below the
/// straight line between its neighbours, and the slope never falls as sizes grow. Both are true for any latency and
/// bandwidth, so nothing is fitted. A point above the line, or after a falling slope, is an anomaly.
namespace busbar::explain {

struct CurvePoint {
  std::uint64_t bytes = 0;           ///< above 0
  double time_s = 0;                 ///< above 0
  std::optional<Interval> interval;  ///< of time_s, its ends above 0
  const CaseRecord* record = nullptr;
};

/// The comparable cases of a series, sizes ascending.
struct Curve {
  std::string label;  ///< "allreduce, in place": distinct among the curves of the run
  std::vector<CurvePoint> points;

  [[nodiscard]] const CaseKey& key() const { return points.front().record->key; }
};

/// All curves of a run, each with at least one point. Excluded: bimodal cases; times without an interval from contended
/// cases or fewer than 20 samples; runs whose ranks share a GPU.
[[nodiscard]] std::vector<Curve> curves(const Run&);

/// Time over expected time: nominal, and the lower bound from the intervals (empty if a time has no interval).
struct Excess {
  double ratio = 1;
  std::optional<double> at_least;
};

/// Time at point i over the line between its neighbours, or over the smaller size's time if that is longer (the end of
/// a slow stretch is not a dip). The curve must recover: the next size exceeds the prediction from the two sizes before
/// by at most a quarter. The time must fall again, or the bandwidth fall and rise, each by 5 %. Otherwise empty; also
/// if a neighbour is missing or more than 8 times as large or as small.
[[nodiscard]] std::optional<Excess> dip_at(const Curve&, std::size_t i);

/// Growth of the time from point i to i + 1, over the growth by the steeper of the slopes before and after. Empty if
/// the time falls again, or if a neighbour is missing or too far.
[[nodiscard]] std::optional<Excess> step_at(const Curve&, std::size_t i);

/// Time at point i over time at i + 1, if above 1.
[[nodiscard]] std::optional<Excess> fall_at(const Curve&, std::size_t i);

/// Scatter of times around the lines between their neighbours, as a ratio of 1 or more: exp of the standard deviation
/// of the logarithms, from their median absolute value, so a few outliers do not count. 1 for fewer than three points.
[[nodiscard]] double scatter(const Curve&);

/// Time at point i on the line between its neighbours.
[[nodiscard]] double between_neighbours_s(const Curve&, std::size_t i);

/// bytes / time in GB/s (1e9 B/s).
[[nodiscard]] double algbw_GBps(const CurvePoint&);

}  // namespace busbar::explain
