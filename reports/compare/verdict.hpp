// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>

#include "reports/compare/comparison.hpp"

namespace busbar::compare {

/// How the launches of two sides stand to each other.
struct Design {
  bool alternating = false;  ///< they took turns, so that a[i] and b[i] are neighbours in time
  bool same_hosts = false;   ///< all ran on the same ones
};

/// Ratio of two sides and where its error comes from. Pairs of launches in alternation are used from 5 on: with fewer,
/// what pairing takes away from the error is less than what it loses in degrees of freedom. The ratio is that at equal
/// pace from 6 launches of each side on, where all ran on the same hosts and know their pace, unless
/// Options::as_measured. What is used depends on how many launches there are, never on what they came to.
struct Estimate {
  LogRatio ratio;
  Basis basis = Basis::assumed;
};
[[nodiscard]] Estimate estimate(std::span<const LaunchFigure> a, std::span<const LaunchFigure> b, const Design&,
                                const Options&);

/// Fills in interval, p, verdict and launches_needed of all points of a pair from their ratios.
///
/// same: the interval lies inside the margin; never by an assumed spread. slower, faster: not the same, and the ratio
/// is not 1 by a two-sided test, after Holm's correction over all these points. inconclusive: neither.
void judge(std::span<Point> points, const Options&);

}  // namespace busbar::compare
