// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>

#include "reports/document/document.hpp"
#include "reports/predict/prediction.hpp"

namespace busbar::predict {

/// Time and busbw over nodes, a colour a size: measured as full lines, predicted as dashed ones with a band. At most
/// four sizes, spread over those predicted.
[[nodiscard]] report::Figure over_nodes(const Series&);

/// The same over sizes, a colour a number of nodes. Empty below three sizes predicted.
[[nodiscard]] std::optional<report::Figure> over_sizes(const Series&);

/// Rate and efficiency of a training over ranks.
[[nodiscard]] report::Figure over_ranks(const TrainingSeries&);

}  // namespace busbar::predict
