// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "reports/fit/sweep.hpp"
#include "reports/predict/prediction.hpp"

/// Parts shared by all kinds of predictions.
namespace busbar::predict {

/// Combines readings: weighted mean of their logarithms, union of their intervals. The upper end is raised by the
/// fraction `allowance`. Requires at least one reading.
[[nodiscard]] Span together(const std::vector<Reading>& readings, double allowance);

/// The measured times, without predictions yet.
[[nodiscard]] Series series_of(const fit::Sweep&);

}  // namespace busbar::predict
