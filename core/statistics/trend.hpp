// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <span>

namespace busbar {

/// A steady change of consecutive values.
struct Drift {
  double relative_change = 0;  ///< from the first to the last value over the median of all; 0.06: rose by 6 %
  double p = 0;                ///< how likely a change as plain as this is where there is none
};

/// Whether and how much `values` rose or fell over their sequence; empty where p is not below `significance`, and for
/// fewer than 8 values.
/// Sources: the test is H. Mann's 1945 and M. Kendall's, with their variance for ties, stretched by what the values
/// less their line depend on each other (S. Yue, C. Wang 2004; effective_count()); the line is P. Sen's 1968
/// (Theil-Sen), the median of the slopes of all pairs. Time grows with the square of the number of values: for the end
/// of a case.
[[nodiscard]] std::optional<Drift> drift(std::span<const double> values, double significance = 0.01);

}  // namespace busbar
