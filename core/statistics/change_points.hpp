// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

/// Lasting changes in the values of several series over time: one series per case, one value per launch.
namespace busbar {

/// How a change happened, as far as the values tell.
enum class ChangeKind {
  step,     ///< at once: a step fits clearly better than a straight line
  drift,    ///< gradually: a straight line fits clearly better
  unclear,  ///< either
};

constexpr auto words_of(ChangeKind) { return std::to_array<std::string_view>({"step", "drift", "unclear"}); }

/// Positions [first, last) in time.
struct TimeSpan {
  std::size_t first = 0, last = 0;
};

/// A change between two spans of time.
struct ChangePoint {
  ChangeKind kind = ChangeKind::step;
  std::size_t at = 0;  ///< position of the first value after the change; the middle of a drift
  double p = 1;        ///< probability of a change this clear if the order were random
  TimeSpan before;     ///< from the change before it or the start; of a drift, the first third
  TimeSpan behind;     ///< up to the next change or the end; of a drift, the last third
};

/// Finds lasting changes in parallel series of positive values of the same length; unknown values are NaN. Single
/// outliers do not count. Deterministic. Ascending by position; there are at least 3 values before and after each.
///
/// The statistic is the difference of mean logarithms before and after a position over its standard error. It is taken
/// of all series together, of each, and of each beyond the others, so that noise that all share hides nothing; and over
/// the whole span and over parts of it, so that a change and its reversal do not cancel. Each of these searches has a
/// share of the false alarms (C. Bonferroni): half for all together, four fifths for the whole span. The clearest step
/// is accepted if both p-values are at most `alpha`: by Student's t for normal noise, and by up to 1999 random orders
/// of what remains without the step, the same order for all series. Then the search repeats on both sides of a step.
///
/// Sources: binary segmentation (A. Scott, M. Knott 1974) with permutations, as in E-divisive for CI of databases (D.
/// Matteson, N. James 2014; D. Daly et al., ICPE 2020); permuted residuals (D. Freedman, D. Lane 1983); maximum over
/// series (P. Westfall, S. Young 1993). bench/micro/change_power measures what it finds (docs/comparing.md).
[[nodiscard]] std::vector<ChangePoint> change_points(std::span<const std::vector<double>> series, double alpha = 0.005);

}  // namespace busbar
