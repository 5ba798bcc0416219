// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <span>

namespace busbar {

/// A monotonic trend of consecutive values.
struct Drift {
  double relative_change = 0;  ///< from the first to the last value, relative to the median; 0.06: rose by 6 %
  double p = 0;                ///< two-sided p-value
};

/// Trend of consecutive `values`; empty if p is not below `significance`, and for fewer than 8 values.
/// Sources: test of H. Mann 1945 and M. Kendall, with their variance for ties, scaled by the effective_count() of the
/// detrended values (S. Yue, C. Wang 2004); slope of P. Sen 1968 (Theil-Sen): the median slope of all pairs. Takes
/// quadratic time, so call it at the end of a case.
[[nodiscard]] std::optional<Drift> drift(std::span<const double> values, double significance = 0.01);

}  // namespace busbar
