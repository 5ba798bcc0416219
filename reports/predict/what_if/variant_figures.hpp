// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "reports/document/document.hpp"
#include "reports/predict/prediction.hpp"

namespace busbar::predict {

/// Names of the readings of equal standing.
[[nodiscard]] std::vector<std::string> equal_readings_of(const TrainingSeries&);

/// What costs are of: "images" of "images/s".
[[nodiscard]] std::string samples_of(const TrainingSeries&);

/// Over numbers of nodes, one line per machine: the ratio to the machine as it is, and the cost if there is a price. Of
/// collectives at the smallest and the largest size, of trainings for each reading of equal standing.
[[nodiscard]] std::vector<report::Figure> variant_figures(const Prediction&);

}  // namespace busbar::predict
