// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "reports/fit/fit.hpp"
#include "reports/predict/contention.hpp"
#include "reports/predict/prediction.hpp"

namespace busbar::predict {

struct FromFitOptions {
  std::vector<int> nodes;
  std::vector<std::uint64_t> sizes;  ///< bytes; empty: all measured sizes
  double confidence = 0.95;
  double allowance = 0;  ///< 0.2 raises the upper limit of times by 20 %, for effects that no measured scale shows
  Contention contention;
  bool fixed_algorithm = false;  ///< the library does not switch to a faster algorithm
};

/// Predicts one call at a scale. Empty if the fit does not allow it; why_not() gives the reason.
[[nodiscard]] std::optional<Predicted> predict_one(const fit::SweepFit&, const fit::Scale&, std::uint64_t bytes,
                                                   const FromFitOptions&);

/// Why other scales, or a size, cannot be predicted; empty if they can.
[[nodiscard]] std::string why_not(const fit::SweepFit&, std::optional<std::uint64_t> bytes);

/// Predicts all sweeps between nodes, at the requested nodes and sizes.
[[nodiscard]] Prediction predict_from(const fit::Fit&, const FromFitOptions&);

}  // namespace busbar::predict
