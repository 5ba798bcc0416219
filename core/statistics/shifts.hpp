// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "core/statistics/change_points.hpp"
#include "core/statistics/interval.hpp"

/// Sizes of a change found by change_points(). The unit of all errors is the launch (one value per series).
namespace busbar {

/// Geometric mean behind a change divided by that before it.
struct Shift {
  double ratio = 1;
  Interval interval;  ///< 95 %
};

/// The shift of one series.
struct SeriesShift {
  std::size_t series = 0;  ///< position in the input
  Shift shift;
  bool moved = false;  ///< of the series marked so, at most 5 % are expected to be unchanged
};

/// The shift of each series with at least 2 values on both sides, in order. Values are positive, or NaN if unknown.
/// Sources: two-sample t-test of Student on logarithms; false discovery rate of 5 % by Y. Benjamini, Y. Hochberg 1995.
[[nodiscard]] std::vector<SeriesShift> series_shifts(std::span<const std::vector<double>> series,
                                                     const ChangePoint& change);

/// The shift of the median over some series: at each time the median of the series' values, each divided by its mean
/// before the change. Noise that the series share is in the interval. Empty with fewer than 2 times on either side.
[[nodiscard]] std::optional<Shift> median_shift(std::span<const std::vector<double>> series,
                                                std::span<const std::size_t> which, const ChangePoint& change);

}  // namespace busbar
