// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "reports/fit/sweep.hpp"
#include "reports/predict/prediction.hpp"

/// What predictions of all kinds are put together from.
namespace busbar::predict {

/// Readings as one: the mean of their logarithms by weight, the union of their intervals, whose upper end is further
/// out by the share `allowance`. There is one at least.
[[nodiscard]] Span together(const std::vector<Reading>& readings, double allowance);

/// What was measured, with nothing predicted yet.
[[nodiscard]] Series series_of(const fit::Sweep&);

}  // namespace busbar::predict
