// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>

#include <nlohmann/json_fwd.hpp>

#include "reports/document/charts.hpp"

/// What the page shows of a case whose point was clicked: its rounds over time, and how they are distributed.
namespace busbar::report {

[[nodiscard]] std::size_t count_rounds(const Charts&);

/// Vega-Lite specifications by name: "over_time", "distribution"; over the data set "rounds", which page/rounds.js
/// makes of one element of round_data().
[[nodiscard]] nlohmann::json round_specs();

/// Of each point its rounds: when (s since the start of the run), median (s), pace of the CPUs (s or null), contended.
[[nodiscard]] nlohmann::json round_data(const Charts&);

}  // namespace busbar::report
