// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>
#include <vector>

namespace busbar {

/// Ranks from 1 on, in the order of `values`. Ties get their mean rank.
[[nodiscard]] std::vector<double> ranks_of(std::span<const double> values);

/// Lag-1 rank correlation, -1 to 1; about -1/n for independent values. 0 for fewer than two values or if all are equal.
[[nodiscard]] double serial_correlation(std::span<const double> values);

/// Effective sample size of consecutive values, for their median: n / (1 + 2 (r1 + r2 + ...)). The r are rank
/// correlations at increasing lags, corrected for the subtracted mean. The sum ends before the first that is below half
/// its standard error, 1 / (2 sqrt n), so the result is at most n.
/// Sources: the variance of the median of dependent values has such a factor, with a sum over 1(value < median) (Sen
/// 1968); ranks give a slightly larger and less noisy one. Stopping: C. Geyer 1992, Practical Markov Chain Monte Carlo,
/// initial positive sequence; correction: F. Marriott, J. Pope 1954.
[[nodiscard]] double effective_count(std::span<const double> values);

}  // namespace busbar
