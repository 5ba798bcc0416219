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
/// A smooth curve is time = latency + size / bandwidth, which is convex in log-log axes: each point is on or below the
/// line between its neighbours, and the slope never falls as sizes grow. This is true for any latency and bandwidth, so
/// nothing is fitted. A point above the line, or after a falling slope, is an anomaly.
namespace busbar::explain {

struct CurvePoint {
  std::uint64_t bytes = 0;           ///< > 0
  double time_s = 0;                 ///< > 0
  std::optional<Interval> interval;  ///< of time_s; both ends > 0
  const CaseRecord* record = nullptr;
};

/// The comparable cases of a series, by ascending size.
struct Curve {
  std::string label;  ///< "allreduce, in place"; unique among the run's curves
  std::vector<CurvePoint> points;

  [[nodiscard]] const CaseKey& key() const { return points.front().record->key; }
};

/// All curves of a run, each with at least one point. Excludes bimodal cases, runs whose ranks share a GPU, and cases
/// without an interval that are contended or have fewer than 20 samples.
[[nodiscard]] std::vector<Curve> unlabelled_curves(const Run&);
/// Sets labels: the collective plus the parts of the key in which its curves differ.
void label_curves(std::vector<Curve>&);

/// Time divided by expected time: nominal, and the lower bound from the intervals (empty without intervals).
struct Excess {
  double ratio = 1;
  std::optional<double> at_least;
};

/// Time at point i divided by the interpolation between its neighbours, or by the smaller size's time if that is longer
/// (the end of a slow stretch is not a dip). The curve must recover: the next size exceeds the prediction from the two
/// sizes before by at most a quarter. Also, the time must fall again, or the bandwidth fall and rise, each by 5 %.
/// Empty otherwise, or if a neighbour is missing or its size differs by more than 8x.
[[nodiscard]] std::optional<Excess> dip_at(const Curve&, std::size_t i);

/// Growth of the time from point i to i + 1, divided by the growth that the steeper slope before or after predicts.
/// Empty if the time falls again, or if a neighbour is missing or its size differs by more than 8x.
[[nodiscard]] std::optional<Excess> step_at(const Curve&, std::size_t i);

/// Time at point i divided by time at i + 1; empty unless above 1.
[[nodiscard]] std::optional<Excess> fall_at(const Curve&, std::size_t i);

/// Scatter of times around the lines between their neighbours, as a ratio of at least 1: exp of the standard deviation
/// of the logarithms, estimated from their median absolute value to ignore outliers. 1 for fewer than three points.
[[nodiscard]] double scatter(const Curve&);

/// Time at point i on the line between its neighbours.
[[nodiscard]] double between_neighbours_s(const Curve&, std::size_t i);

/// Time at point i divided by between_neighbours_s(): at most 1 on a smooth curve. Empty if a neighbour is missing or
/// its size differs by more than 8x.
[[nodiscard]] std::optional<double> over_line(const Curve&, std::size_t i);

/// Share of the time at point i that grows with the size, 0 to 1: the slope of the logarithms between its neighbours,
/// at an end to the only one. With time = latency + size / bandwidth the rest is the latency. Empty as over_line(), but
/// for an end.
[[nodiscard]] std::optional<double> growing_share(const Curve&, std::size_t i);

/// bytes / time in GB/s (1e9 B/s).
[[nodiscard]] double algbw_GBps(const CurvePoint&);

}  // namespace busbar::explain
