// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>

#include "reports/document/document.hpp"
#include "reports/predict/prediction.hpp"

namespace busbar::predict {

/// Time and busbw over nodes, one plot for each size: measured points, the prediction with its band, and each reading.
/// Shows the times of three sizes at first (the smallest, where bandwidth begins to count, the largest); buttons show
/// others. `confidence`: Prediction::confidence.
[[nodiscard]] report::Figure over_nodes(const Series&, double confidence);

/// Time and busbw over sizes, one colour per number of nodes. Empty with fewer than three predicted sizes.
[[nodiscard]] std::optional<report::Figure> over_sizes(const Series&);

/// Rate and efficiency of training over nodes.
[[nodiscard]] report::Figure over_nodes(const TrainingSeries&);

}  // namespace busbar::predict
