// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <string>

#include "reports/fit/fit.hpp"

namespace busbar::predict {

/// How the costs of a fitted collective change on another machine.
struct FitChange {
  double bandwidth = 1;             ///< of a node, in multiples of the measured one
  std::optional<double> latency_s;  ///< of a step of the smallest messages; other steps change by the same time
  double step = 1;                  ///< factor of the cost of every step, after `latency_s`
  std::optional<int> per_node;      ///< ranks on a node
  std::string algorithm;            ///< key of the algorithm table, for all sizes; empty: those of the fit
};

/// Seconds of a step of the smallest messages: of the best curve there. Empty where the fit cannot tell it from the
/// call.
[[nodiscard]] std::optional<double> smallest_step(const fit::SweepFit&);

/// The fit as it would be on the changed machine: other coefficients, with their covariances, and every measured time
/// multiplied by the ratio of the changed to the fitted curve. Of a byte's time, at most twice that of the region where
/// it is shortest changes with the bandwidth. The step of a ring, which holds the steps inside a node, grows with the
/// square root of the ranks on a node: it is between unchanged and in proportion. An algorithm that was not fitted has
/// the costs of the best curve of its region. `latency_s` requires smallest_step().
[[nodiscard]] fit::SweepFit changed(const fit::SweepFit&, const FitChange&);

}  // namespace busbar::predict
