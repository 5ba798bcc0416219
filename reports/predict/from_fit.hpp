// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "reports/fit/fit.hpp"
#include "reports/predict/prediction.hpp"

namespace busbar::predict {

struct FromFitOptions {
  std::vector<int> nodes;
  std::vector<std::uint64_t> sizes;  ///< bytes; empty: all that were measured
  double confidence = 0.95;
  double allowance = 0;  ///< 0.2: the upper end of times is 20 % further out, for what no measured scale shows
};

/// One call at a scale. Empty where the fit does not tell: see why_not().
[[nodiscard]] std::optional<Predicted> predict_one(const fit::SweepFit&, const fit::Scale&, std::uint64_t bytes,
                                                   const FromFitOptions&);

/// Why nothing can be said of other scales or of a size; empty: something can.
[[nodiscard]] std::string why_not(const fit::SweepFit&, std::optional<std::uint64_t> bytes);

/// All sweeps between nodes, at the nodes and sizes asked for.
[[nodiscard]] Prediction predict_from(const fit::Fit&, const FromFitOptions&);

}  // namespace busbar::predict
