// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "reports/compare/document.hpp"

namespace busbar::compare {

/// A set as figures. Collectives: ratio of each pair of sides over size, with intervals and the margin. Trainings: one
/// bar per side, labelled with the difference in per cent. The tables contain all points.
[[nodiscard]] std::vector<report::Figure> figures_of(const Told&, const Set&);

}  // namespace busbar::compare
