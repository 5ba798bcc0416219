// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace busbar {

/// A series that is not the same behind a change as before it.
struct ChangedSeries {
  std::size_t series = 0;  ///< position in the input
  double ratio = 1;        ///< geometric mean behind the change over that before it
};

/// A place in time at which series change.
struct ChangePoint {
  std::size_t at = 0;  ///< the first value behind it
  double p = 1;        ///< chance of so clear a change anywhere in any series if their order in time meant nothing
  std::vector<ChangedSeries> changed;
};

/// Places at which any of several series of positive values, side by side in time, changes and stays so for a while:
/// for each place with at least 3 values on either side, the distance of the mean logarithms of up to 3, 4, 6, 9, ...
/// values before and behind it over its error; the largest of all places, lengths and series is held against that of
/// 999 orders of the same values, all series in the same order, so that what they have in common counts once. Found at
/// p at most `alpha`, then looked for again on both sides of it. Values that are not known are NaN. The same input
/// gives the same answer. Ascending by place.
///
/// Source: binary segmentation (A. Scott, M. Knott 1974) by permutation, as E-divisive does it for CI of databases
/// (D. Matteson, N. James 2014; D. Daly et al., ICPE 2020), with windows so that a change back does not hide a change
/// (P. Fryzlewicz 2014); the largest statistic over series: P. Westfall, S. Young 1993.
[[nodiscard]] std::vector<ChangePoint> change_points(std::span<const std::vector<double>> series, double alpha = 0.01);

}  // namespace busbar
