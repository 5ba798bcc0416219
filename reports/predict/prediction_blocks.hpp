// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "reports/document/document.hpp"
#include "reports/predict/prediction.hpp"

namespace busbar::predict {

/// The assumptions of a prediction, and what was not predicted.
[[nodiscard]] std::vector<report::Block> assumption_blocks(const Prediction&);

/// The figures: one table per series.
[[nodiscard]] std::vector<report::Block> figure_blocks(const Prediction&);

}  // namespace busbar::predict
