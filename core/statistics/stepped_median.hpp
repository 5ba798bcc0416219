// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>

namespace busbar {

/// Median of samples that a clock moves in steps of `step` (same unit as the samples; 0: median()): the median of
/// grouped data, interpolated inside the step that holds the middle, as if the samples of a step lay evenly across it.
/// Resolves below the step, and is within half a step of median(). Samples that are means over g calls have steps of
/// step / g. `samples` is not empty.
/// Source: any text on grouped data; on multiples of the step it equals Python's statistics.median_grouped.
[[nodiscard]] double stepped_median(std::span<const double> samples, double step);

}  // namespace busbar
