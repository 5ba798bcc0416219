// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "core/record/fwd.hpp"
#include "reports/fit/fit.hpp"
#include "reports/predict/from_fit.hpp"
#include "reports/predict/prediction.hpp"
#include "reports/predict/training.hpp"

/// Which measurement would narrow a prediction, and by how much. Each candidate is tried: its times are taken as the
/// prediction has them, once for each reading at its scale, the curves are fitted again, and the largest predicted
/// scale is predicted again. The expected interval is the mean over readings, by their weights.
namespace busbar::predict {

/// Candidates for each predicted sweep, narrowest intervals first: other numbers of nodes, one more launch of measured
/// ones, sizes between those of a region with few, and an allgather that shows the step of a ring. `whole`: the fit of
/// all collectives, of which `prediction` may have fewer. Sweeps that differ in nothing but in or out of place are
/// tried once. Computes on all CPUs.
[[nodiscard]] std::vector<NextRuns> next_runs(const fit::Fit& whole, const Prediction& prediction,
                                              const FromFitOptions&);

/// The same for trainings: one more group, by the residuals that it adds; the type of gradients and the overlap, by the
/// readings that they leave; and a measured allreduce in place of a nominal rate, which no interval contains.
[[nodiscard]] std::vector<NextRuns> next_trainings(const std::vector<Run>&, const Prediction&, const TrainingOptions&);

}  // namespace busbar::predict
