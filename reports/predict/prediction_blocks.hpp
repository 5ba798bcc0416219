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

/// "42.6 to 92.5 ms", "789 us to 1.2 ms". Times in seconds.
[[nodiscard]] std::string between(double low_s, double high_s);

/// The figures of a series or a training as tables. `confidence`: Prediction::confidence.
[[nodiscard]] std::vector<report::Table> tables_of(const Series&, double confidence);
[[nodiscard]] std::vector<report::Table> tables_of(const TrainingSeries&, double confidence);

/// The figures: one table per series.
[[nodiscard]] std::vector<report::Block> figure_blocks(const Prediction&);

}  // namespace busbar::predict
