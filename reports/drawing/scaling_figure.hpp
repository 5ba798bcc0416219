// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>

#include "reports/document/document.hpp"
#include "reports/runs/experiments.hpp"

namespace busbar::report {

/// Rate, speedup and efficiency over ranks, one line per experiment without neighbours that covers more than one number
/// of ranks. Empty if there is none.
[[nodiscard]] std::optional<Figure> scaling_figure(const Model&);

}  // namespace busbar::report
