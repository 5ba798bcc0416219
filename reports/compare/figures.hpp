// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "reports/compare/document.hpp"

namespace busbar::compare {

/// A set as pictures: of collectives the ratio of each two sides over size, with intervals and the margin; of trainings
/// a bar a side, with the difference in per cent above it. The tables behind them have all points.
[[nodiscard]] std::vector<report::Figure> figures_of(const Told&, const Set&);

}  // namespace busbar::compare
