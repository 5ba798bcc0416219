// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "core/record/fwd.hpp"
#include "reports/predict/from_fit.hpp"

namespace busbar::predict {

/// Scales simulated times by the ratio of measured to simulated times at common scales, size by size. The interval uses
/// Student's t on the variation of this ratio between scales; with one common scale, only `launch_spread`. Each
/// simulated sweep of a collective (an algorithm, a platform) is a separate reading; all have equal weight.
[[nodiscard]] Prediction predict_by_simulation(const std::vector<Run>& measured, const std::vector<Run>& simulated,
                                               const fit::SweepOptions& sweeps, double launch_spread,
                                               const FromFitOptions& options);

}  // namespace busbar::predict
