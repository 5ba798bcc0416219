// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace busbar {

/// A series that changes at a change point.
struct ChangedSeries {
  std::size_t series = 0;  ///< position in the input
  double ratio = 1;        ///< geometric mean after the change divided by that before it
};

/// A point in time at which series change.
struct ChangePoint {
  std::size_t at = 0;  ///< position of the first value after the change
  double p = 1;        ///< probability of a change this clear in any series if the order were random
  std::vector<ChangedSeries> changed;
};

/// Finds lasting changes in several parallel series of positive values. At each position with at least 3 values on both
/// sides, it compares the mean logarithms of up to 3, 4, 6, 9, ... values before and after, divided by the standard
/// error. The largest statistic over positions, lengths and series is compared with those of 999 random permutations.
/// All series are permuted alike, so a common change counts once. A change with p <= `alpha` is accepted, and the
/// search repeats on both sides of it. Unknown values are NaN. Deterministic. Ascending by position.
///
/// Sources: binary segmentation (A. Scott, M. Knott 1974) with permutations, as in E-divisive for CI of databases (D.
/// Matteson, N. James 2014; D. Daly et al., ICPE 2020), with windows so that a change and its reversal do not cancel
/// (P. Fryzlewicz 2014); maximum over series: P. Westfall, S. Young 1993.
[[nodiscard]] std::vector<ChangePoint> change_points(std::span<const std::vector<double>> series, double alpha = 0.01);

}  // namespace busbar
