// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "reports/document/plot.hpp"

namespace busbar::report {

/// What the plots of a figure share.
struct PlotGroup {
  const std::vector<Line>& lines;
  const std::vector<LegendEntry>& legend;
  bool labels = false;  ///< lines have their names at their ends
};

/// Vega-Lite specification of the plot at `index` of a figure, over the data sets of plot_data(). Colours and hidden
/// lines work as in chart_spec().
[[nodiscard]] nlohmann::json plot_spec(const Plot&, std::size_t index, const PlotGroup&);

/// Specification of the ratio below the curves of two runs (Charts::ratio must not be null), over the data sets
/// "ratios" and "lines".
[[nodiscard]] nlohmann::json ratio_spec(const Charts&);

/// {"points": [...], "lines": [...]}: the marks of all plots of a figure, and the figure's lines.
[[nodiscard]] nlohmann::json plot_data(const std::vector<Plot>&, const std::vector<Line>&);

}  // namespace busbar::report
