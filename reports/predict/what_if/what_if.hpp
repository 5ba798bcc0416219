// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <vector>

#include "core/record/fwd.hpp"
#include "reports/fit/fit.hpp"
#include "reports/predict/from_fit.hpp"
#include "reports/predict/prediction.hpp"
#include "reports/predict/training.hpp"
#include "reports/predict/what_if/network_change.hpp"

/// Predictions for a machine that differs from the measured one.
namespace busbar::predict {

/// Adds a variant for each change to a prediction from this fit, and to its assumptions what each of them assumes.
/// Throws UsageError "--what-if ...: ..." where a change cannot apply to any collective.
void add_variants(Prediction&, const std::vector<Change>&, const fit::Fit&, const FromFitOptions&,
                  const std::optional<KnownNetwork>&);

/// The same for a prediction of trainings.
void add_variants(Prediction&, const std::vector<Change>&, const std::vector<Run>&, const TrainingOptions&,
                  const std::optional<KnownNetwork>&);

/// Sets the prices of the machine as it is and of the variants that have none of their own. Throws UsageError if their
/// currencies differ. Requires `changes` to be those of the variants.
void set_prices(Prediction&, const std::optional<Price>&, const std::vector<Change>& changes);

}  // namespace busbar::predict
