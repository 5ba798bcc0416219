// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <map>
#include <optional>
#include <vector>

#include "core/record/fwd.hpp"
#include "reports/predict/from_fit.hpp"

namespace busbar::predict {

/// Logarithms of times by scale; the mean if a scale has several.
using LogTimes = std::map<fit::Scale, double>;

/// Logarithm of the ratio of measured to simulated times: mean, and half-width of the interval for one more scale.
struct Ratio {
  double mean = 0, half_width = 0;
};

/// Computed over common scales; empty if there are none. The half-width is from Student's t on the variation of the
/// ratio, and at least that of launches with standard deviation `spread`, both at `confidence`.
[[nodiscard]] std::optional<Ratio> ratio_of(const LogTimes& measured, const LogTimes& simulated, double spread,
                                            double confidence);

/// Scales simulated times by the ratio of measured to simulated times at common scales, size by size. The interval uses
/// Student's t on the variation of this ratio between scales; with one common scale, only `launch_spread`. Each
/// simulated sweep of a collective (an algorithm, a platform) is a separate reading; all have equal weight.
[[nodiscard]] Prediction predict_by_simulation(const std::vector<Run>& measured, const std::vector<Run>& simulated,
                                               const fit::SweepOptions& sweeps, double launch_spread,
                                               const FromFitOptions& options);

}  // namespace busbar::predict
