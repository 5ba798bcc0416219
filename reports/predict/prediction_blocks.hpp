// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "reports/document/document.hpp"
#include "reports/predict/prediction.hpp"

namespace busbar::predict {

/// The assumptions of a prediction, and what was not predicted.
[[nodiscard]] std::vector<report::Block> assumption_blocks(const Prediction&);

/// The assumptions as a folded table, for a page; and what was not predicted.
[[nodiscard]] std::vector<report::Block> folded_assumptions(const Prediction&);

/// The figures of a series or a training as tables. `confidence`: Prediction::confidence.
[[nodiscard]] std::vector<report::Table> tables_of(const Series&, double confidence);
[[nodiscard]] std::vector<report::Table> tables_of(const TrainingSeries&, double confidence);

/// The figures: one table per series.
[[nodiscard]] std::vector<report::Block> figure_blocks(const Prediction&);

/// What to run next: one table per series, and how to read it. Empty if the prediction has none.
[[nodiscard]] std::vector<report::Block> next_blocks(const Prediction&);

}  // namespace busbar::predict
