// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <nlohmann/json_fwd.hpp>

#include "reports/document/charts.hpp"

namespace busbar::report {

/// Vega-Lite specification of one chart, over the data sets "points" and "lines" of chart_data(). Colours come from the
/// configuration. Runs and series in the parameters `hidden_runs` and `hidden_series` are not drawn. The tooltip is the
/// point itself.
[[nodiscard]] nlohmann::json chart_spec(const Charts&, Quantity);

/// Vega-Lite configuration of all charts: fonts, and colours as CSS variables of the page.
[[nodiscard]] nlohmann::json chart_config();

}  // namespace busbar::report
