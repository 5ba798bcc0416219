// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>

#include "reports/document/document.hpp"
#include "reports/predict/prediction.hpp"

namespace busbar::predict {

/// Time and busbw over nodes, one colour per size: solid if measured, dashed with a band if predicted. Shows up to four
/// sizes, spread over those predicted.
[[nodiscard]] report::Figure over_nodes(const Series&);

/// The same over sizes, one colour per number of nodes. Empty with fewer than three predicted sizes.
[[nodiscard]] std::optional<report::Figure> over_sizes(const Series&);

/// Rate and efficiency of training over ranks.
[[nodiscard]] report::Figure over_ranks(const TrainingSeries&);

}  // namespace busbar::predict
