// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "core/record/fwd.hpp"
#include "reports/predict/from_fit.hpp"

namespace busbar::predict {

/// Simulated times, scaled by what measured ones are of them at the scales that both have, size by size. The interval
/// is by Student's t on how these ratios differ from scale to scale; with one scale in common it is by
/// `launch_spread` alone, and says so. Every simulated sweep of a collective (an algorithm, a platform) is a reading of
/// its own, all of equal weight. Runs are told apart by RunRecord::origin.
[[nodiscard]] Prediction predict_by_simulation(const std::vector<Run>& measured, const std::vector<Run>& simulated,
                                               const fit::SweepOptions& sweeps, double launch_spread,
                                               const FromFitOptions& options);

}  // namespace busbar::predict
