// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <nlohmann/json_fwd.hpp>

#include "reports/document/charts.hpp"

/// Rounds of a case, shown when its point is clicked: medians over time, and their distribution.
namespace busbar::report {

[[nodiscard]] bool has_rounds(const Charts&);

/// Vega-Lite specifications "over_time" and "distribution", over the data set "rounds". page/rounds.js builds that data
/// set from one element of round_data().
[[nodiscard]] nlohmann::json round_specs();

/// Rounds of each point: time (s since the start of the run), median (s), pace of the CPUs (s or null), contended.
[[nodiscard]] nlohmann::json round_data(const Charts&);

}  // namespace busbar::report
