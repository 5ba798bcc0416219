// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>
#include <vector>

namespace busbar {

/// Ranks from 1 on, in the order of `values`; equal values share the mean of their ranks.
[[nodiscard]] std::vector<double> ranks_of(std::span<const double> values);

/// Correlation of the ranks of neighbouring values (lag 1), -1 to 1; about -1/n where nothing depends on anything. 0
/// for fewer than two values and where all are equal.
[[nodiscard]] double serial_correlation(std::span<const double> values);

/// How many independent values tell as much about the median as these consecutive ones: n over 1 + 2 (r1 + r2 + ...),
/// at most n. The r are correlations of ranks at growing lags, each corrected for the mean that was taken off, and are
/// summed up to the first that is below half its standard error, 1 / (2 sqrt n).
/// Sources: the variance of a median of dependent values is that of independent ones times such a sum over
/// 1(value < median) (Sen 1968); the sum over ranks is a little larger and less noisy. Where to stop: C. Geyer 1992,
/// Practical Markov Chain Monte Carlo, initial positive sequence; the correction: F. Marriott, J. Pope 1954.
[[nodiscard]] double effective_count(std::span<const double> values);

}  // namespace busbar
