// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/case_key.hpp"
#include "core/record/case_record.hpp"
#include "core/record/fwd.hpp"
#include "core/statistics/interval.hpp"

/// Time over size, and what is odd about its shape.
///
/// What a smooth curve is: time = latency + size / bandwidth. On logarithmic axes that is convex, so a size lies on or
/// below the straight line between its neighbours, and its slope never falls as sizes grow. Both hold for any such
/// curve, so nothing has to be fitted; what lies above the line, or behind a slope that falls, is no such curve.
namespace busbar::explain {

struct CurvePoint {
  std::uint64_t bytes = 0;           ///< above 0
  double time_s = 0;                 ///< above 0
  std::optional<Interval> interval;  ///< of time_s, its ends above 0
  const CaseRecord* record = nullptr;
};

/// The cases of a series that can be held against each other, sizes ascending.
struct Curve {
  std::string label;  ///< "allreduce, in place": what tells it from the other curves of the run
  std::vector<CurvePoint> points;

  [[nodiscard]] const CaseKey& key() const { return points.front().record->key; }
};

/// All curves of a run, each of a point at least. Left out are times that may say nothing about their size: of rounds
/// in two groups; without an interval, of contended cases and of fewer than 20 samples; and all of ranks that share a
/// GPU.
[[nodiscard]] std::vector<Curve> curves(const Run&);

/// How many times as long as expected, and that again by the ends of the intervals that say least (empty: some time has
/// no interval).
struct Excess {
  double ratio = 1;
  std::optional<double> at_least;
};

/// The time at point i against the line between its neighbours, or against the smaller size's time where that is more
/// (the end of a slow stretch is no dip), where the curve comes back behind it: the next size is not slower than what
/// the two sizes before lead to, by more than a quarter. Empty where it does not come back, where the time does not
/// fall again nor the bandwidth fall and rise, each by 5 %, and where a neighbour is more than 8 times as large or as
/// small, or there is none.
[[nodiscard]] std::optional<Excess> dip_at(const Curve&, std::size_t i);

/// From point i to i + 1, the growth of the time against that by the steeper of the slopes before and behind, where the
/// curve stays up there. Empty where it does not, and where a neighbour is missing or too far.
[[nodiscard]] std::optional<Excess> step_at(const Curve&, std::size_t i);

/// Time at point i over time at i + 1, where that is above 1.
[[nodiscard]] std::optional<Excess> fall_at(const Curve&, std::size_t i);

/// How far times lie from the lines between their neighbours, as a ratio, 1 or more: exp of the standard deviation of
/// the logarithms, by their median absolute value, so that a few odd places do not count. 1 of fewer than three points.
[[nodiscard]] double scatter(const Curve&);

/// What the line between the neighbours of point i says that its time were.
[[nodiscard]] double between_neighbours_s(const Curve&, std::size_t i);

/// bytes / time in GB/s (1e9 B/s).
[[nodiscard]] double algbw_GBps(const CurvePoint&);

}  // namespace busbar::explain
