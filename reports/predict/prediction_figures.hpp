// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <string>

#include "reports/document/document.hpp"
#include "reports/predict/prediction.hpp"

namespace busbar::predict {

/// Time and busbw over nodes, one plot for each size: measured points, the prediction with its band, and each reading.
/// Shows the times of three sizes at first (the smallest, where bandwidth begins to count, the largest); buttons show
/// others. `confidence`: Prediction::confidence.
[[nodiscard]] report::Figure over_nodes(const Series&, double confidence);

/// Time and busbw over sizes, one colour per number of nodes. Empty with fewer than three predicted sizes.
[[nodiscard]] std::optional<report::Figure> over_sizes(const Series&);

/// An axis along x: numbers of nodes or ranks. Ticks are at the numbers themselves if they are few and apart, else at
/// powers of two. The plot must have marks.
[[nodiscard]] report::PlotAxis count_axis(const std::string& title, const report::Plot&);

/// Rate and efficiency of training over nodes.
[[nodiscard]] report::Figure over_nodes(const TrainingSeries&);

}  // namespace busbar::predict
