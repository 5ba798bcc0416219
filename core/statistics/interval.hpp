// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <span>

namespace busbar {

/// Confidence interval of a median, in the unit of the values.
struct Interval {
  double low = 0;
  double high = 0;
  double confidence = 0;  ///< fraction of such intervals that contain the true median, 0 to 1
};

/// Distribution-free confidence interval of the median of independent `values`: order statistics, interpolated to the
/// requested confidence. Empty if even the minimum and maximum do not reach it: at 95 %, for fewer than 6 values.
/// Source: T. Hettmansperger, S. Sheather 1986, Confidence intervals based on interpolated order statistics; compared
/// with others by J. Nyblom 1992. Binomial sums are exact.
[[nodiscard]] std::optional<Interval> median_interval(std::span<const double> values, double confidence);

/// Like median_interval(), for consecutive values that may be correlated: widens the interval for effective_count()
/// values. Empty if these are too few. Coverage at 95 %, measured by bench/micro/interval_coverage: 95.5 to 96.5 % for
/// 10 or more independent values; 94 % for a lag-1 correlation of 0.3 from 20 values on, and of 0.6 from 50 on; too low
/// for stronger correlation, which so few values cannot reveal.
[[nodiscard]] std::optional<Interval> series_median_interval(std::span<const double> values, double confidence);

/// Half-width divided by the midpoint: 0.02 means +-2 %.
[[nodiscard]] double relative_half_width(const Interval& interval);

}  // namespace busbar
