// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <span>
#include <vector>

/// The clearest step of one series of noisy values, the part of the search for change points that looks at one series.
namespace busbar {

/// Least values on each side of a step: fewer may be one bad night and its neighbour.
inline constexpr std::size_t least_values_per_side = 3;

/// A candidate step between values [first, middle) and [middle, last).
struct StepWindow {
  std::size_t first = 0, middle = 0, last = 0;
};

/// Windows to compare.
enum class StepWindows {
  whole,  ///< all values before and all behind each place
  parts,  ///< up to 3, 4, 6, 9, ... of them, so that a change and its reversal do not cancel (P. Fryzlewicz 2014)
};

/// The windows in `count` values; empty below 6 values.
[[nodiscard]] std::vector<StepWindow> windows_in(std::size_t count, StepWindows kind);

/// The values; those more than 5 standard deviations from the median of their 5 neighbours are replaced by it, so that
/// a single bad night does not look like a step. Source: F. Hampel 1974; R. Pearson 2002.
[[nodiscard]] std::vector<double> without_outliers(std::span<const double> values);

/// The clearest step of a series.
struct ClearestStep {
  double statistic = 0;  ///< difference of the means over its standard error, as Student's t; 0 if there are no windows
  double degrees = 0;    ///< degrees of freedom of the error
  double noise = 0;      ///< standard deviation within the parts before, inside and behind the window
  StepWindow window;
};

/// Compares all windows, of as many values. The error is from all values, around a mean of their own before and behind
/// the window.
[[nodiscard]] ClearestStep clearest_step(std::span<const double> values, std::span<const StepWindow> windows);

/// How much better the levels of a clearest step (before, inside and behind its window) fit all values than a straight
/// line: difference of their sums of squared residuals, divided by the variance around the better one, less 5 for each
/// level beside the step's two. Negative if the line fits better.
[[nodiscard]] double step_against_line(std::span<const double> values, const ClearestStep& step);

}  // namespace busbar
