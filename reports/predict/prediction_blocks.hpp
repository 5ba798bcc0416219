// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "reports/document/document.hpp"
#include "reports/predict/prediction.hpp"

namespace busbar::predict {

/// What a prediction assumes, and what is left out.
[[nodiscard]] std::vector<report::Block> assumption_blocks(const Prediction&);

/// Its figures: a table a series.
[[nodiscard]] std::vector<report::Block> figure_blocks(const Prediction&);

}  // namespace busbar::predict
