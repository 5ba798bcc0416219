// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "reports/document/document.hpp"
#include "reports/predict/prediction.hpp"

namespace busbar::predict {

/// What to run next: one table per series, and how to read it. Empty if the prediction has none.
[[nodiscard]] std::vector<report::Block> next_blocks(const Prediction&);

}  // namespace busbar::predict
