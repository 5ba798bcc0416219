// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>

namespace busbar {

/// Median of samples from a clock with resolution `step` (in the unit of the samples; 0: median()). Computes the median
/// of grouped data: interpolates within the middle step as if its samples were evenly distributed. Resolves less than a
/// step, and differs from median() by at most half a step. Means over g calls have steps of step / g. `samples` must
/// not be empty.
/// Source: any text on grouped data; for multiples of the step it equals Python's statistics.median_grouped.
[[nodiscard]] double stepped_median(std::span<const double> samples, double step);

}  // namespace busbar
