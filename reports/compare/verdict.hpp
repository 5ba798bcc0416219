// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>

#include "reports/compare/comparison.hpp"

namespace busbar::compare {

/// Ratio of two sides and where its error comes from. `alternating`: the launches of a and b took turns, so that a[i]
/// and b[i] are neighbours in time. Pairs of them are used from 5 on: with fewer, what pairing takes away from the
/// error is less than what it loses in degrees of freedom.
struct Estimate {
  LogRatio ratio;
  Basis basis = Basis::assumed;
};
[[nodiscard]] Estimate estimate(std::span<const LaunchFigure> a, std::span<const LaunchFigure> b, bool alternating,
                                double launch_spread);

/// Fills in interval, p, verdict and launches_needed of all points of a pair from their ratios.
///
/// same: the interval lies inside the margin; never by an assumed spread. slower, faster: not the same, and the ratio
/// is not 1 by a two-sided test, after Holm's correction over all these points. inconclusive: neither.
void judge(std::span<Point> points, const Options&);

}  // namespace busbar::compare
