// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>

#include "reports/document/document.hpp"
#include "reports/runs/experiments.hpp"

namespace busbar::report {

/// Rate, speedup and efficiency over ranks, a line for each experiment without neighbours that was measured on more
/// than one number of them. Empty where there is none.
[[nodiscard]] std::optional<Figure> scaling_figure(const Model&);

}  // namespace busbar::report
